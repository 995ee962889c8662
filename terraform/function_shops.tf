# The shop: this function alone reaches it and has its keys, and the executor never does.
# The planner has it fetch the catalogue, and a clock has it write, once a minute, what
# completed executions changed. It is there where shop is set.

module "shops" {
  source = "./modules/function"
  count  = var.shop == null ? 0 : 1

  name         = "shops"
  description  = "Fetches the shop's catalogue, and writes what plans change back to it."
  target       = "Shops"
  installation = local.installation
  build        = local.build
  database     = { resource = local.database_resources["pricing"], role = google_project_iam_custom_role.database["executor"].id }
  invokers     = { clock = google_service_account.clock.member, planner = module.planner.member }

  # The planner calls from outside the project's network. A catalogue is read as it is
  # written: memory does not grow with it.
  size = { memory = "512Mi", cpu = "1", concurrency = 4, timeout = local.sweep_timeout, min_instances = 0, max_instances = 2 }

  secrets = { SHOP_KEY = var.shop.key_secret, SHOP_SECRET = var.shop.secret_secret }

  environment = {
    GOOGLE_CLOUD_PROJECT = var.project_id
    FIRESTORE_DATABASE   = local.databases["pricing"]
    INBOX_BUCKET         = google_storage_bucket.data["inbox"].name
    OUTBOX_BUCKET        = google_storage_bucket.data["outbox"].name
    AUDIT_BUCKET         = google_storage_bucket.data["audit"].name
    TABLES_BUCKET        = google_storage_bucket.tables.name
    SHOP_KIND            = var.shop.kind
    SHOP_URL             = var.shop.url
  }
}

resource "google_cloud_scheduler_job" "shop" {
  count = var.shop == null ? 0 : 1

  name             = "${var.prefix}-shop-due"
  description      = "Writes what is due to the shop."
  region           = var.region
  schedule         = "* * * * *"
  time_zone        = "Etc/UTC"
  attempt_deadline = "${local.sweep_timeout}s"

  # The next one comes by itself.
  retry_config {
    retry_count = 0
  }

  http_target {
    http_method = "POST"
    uri         = "${module.shops[0].url}/due"

    oidc_token {
      service_account_email = google_service_account.clock.email
      audience              = module.shops[0].url
    }
  }

  depends_on = [time_sleep.services]
}

# It reads the tables that were fetched, those of undos and the changes files, and creates
# the results beside these, and the tables that it fetches for what is due. It can replace
# and delete none of them, and list no names: it needs no answer about what is not there.
resource "google_storage_bucket_iam_member" "shops" {
  for_each = var.shop == null ? {} : {
    read_inbox    = { bucket = "inbox", role = "roles/storage.objectViewer", of = "held/" }
    write_inbox   = { bucket = "inbox", role = "roles/storage.objectCreator", of = "held/" }
    read_outbox   = { bucket = "outbox", role = "roles/storage.objectViewer", of = "" }
    read_changes  = { bucket = "audit", role = "roles/storage.objectViewer", of = "changes/" }
    read_results  = { bucket = "audit", role = "roles/storage.objectViewer", of = "postings/" }
    write_results = { bucket = "audit", role = "roles/storage.objectCreator", of = "postings/" }
  }

  bucket = google_storage_bucket.data[each.value.bucket].name
  role   = each.value.role
  member = module.shops[0].member

  condition {
    title      = "what the shop is given"
    expression = "resource.name.startsWith(\"projects/_/buckets/${local.buckets[each.value.bucket]}/objects/${each.value.of}\")"
  }
}

# A catalogue that was fetched is held as the table of whoever asked for it. What others
# have there it can neither read nor replace nor delete.
resource "google_storage_bucket_iam_member" "shops_tables" {
  count = var.shop == null ? 0 : 1

  bucket = google_storage_bucket.tables.name
  role   = "roles/storage.objectCreator"
  member = module.shops[0].member
}
