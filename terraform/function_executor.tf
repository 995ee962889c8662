# The executor: Pub/Sub calls it for every object that appears in the inbox
# (events.tf). It calls no model, reads the inbox, creates in outbox and audit
# (it can neither replace nor delete there), and in the pricing database it
# creates, reads and updates.

module "executor" {
  source = "./modules/function"

  name         = "executor"
  description  = "Carries plans out over uploaded tables, once each."
  target       = "Executor"
  installation = local.installation
  build        = local.build
  database     = { resource = local.database_resources["pricing"], role = google_project_iam_custom_role.database["executor"].id }
  invokers     = { trigger = google_service_account.trigger.member }
  internal     = true # Pub/Sub in the same project counts as inside

  # One table at a time in an instance, for as long as an event may take.
  size = merge(var.sizes.executor, { concurrency = 1, timeout = local.event_timeout })

  after   = terraform_data.drain
  secrets = var.audit_key_secret == "" ? {} : { AUDIT_KEY = var.audit_key_secret }

  environment = merge(local.tables_environment, local.approval_environment, local.executing_environment, {
    # The functions framework makes it the deadline of each delivery, before
    # which an attempt stops and says how far it came.
    CLOUD_RUN_TIMEOUT_SECONDS = tostring(local.event_timeout)
  })
}

locals {
  # What executor and sweeper may do with the buckets.
  executing_roles = {
    read_inbox    = { bucket = "inbox", role = "roles/storage.objectViewer" }
    create_outbox = { bucket = "outbox", role = "roles/storage.objectCreator" }
    read_outbox   = { bucket = "outbox", role = "roles/storage.objectViewer" }
    create_audit  = { bucket = "audit", role = "roles/storage.objectCreator" }
    read_audit    = { bucket = "audit", role = "roles/storage.objectViewer" }
  }

  # Where executor and sweeper find everything.
  executing_environment = {
    GOOGLE_CLOUD_PROJECT = var.project_id
    FIRESTORE_DATABASE   = local.databases["pricing"]
    INBOX_BUCKET         = google_storage_bucket.data["inbox"].name
    OUTBOX_BUCKET        = google_storage_bucket.data["outbox"].name
    AUDIT_BUCKET         = google_storage_bucket.data["audit"].name
    TABLE_LIMIT_GIB      = tostring(var.sizes.executor.table_gib)
    AUDIT_EPOCH          = tostring(var.audit_epoch)
  }

  # Which results wait for an approval.
  approval_environment = { for name, value in {
    APPROVAL              = var.approval.needed
    APPROVAL_OVER_ROWS    = var.approval.over_rows == null ? "" : tostring(var.approval.over_rows)
    APPROVAL_OVER_PERCENT = var.approval.over_percent == null ? "" : tostring(var.approval.over_percent)
  } : name => value if value != "" }

  # A delivery ends before Pub/Sub takes it for lost, after 600 s at most, and
  # sends another.
  event_timeout = 540
}

resource "google_storage_bucket_iam_member" "executor" {
  for_each = local.executing_roles

  bucket = google_storage_bucket.data[each.value.bucket].name
  role   = each.value.role
  member = module.executor.member
}
