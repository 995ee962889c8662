# The sweeper: Cloud Scheduler calls it once a minute for what is due (an
# execution that was left in the middle, approved, scheduled, to be undone or
# expired), and once an hour for what lies forgotten in the inbox. So no upload
# rests on its event. It does what the executor does, with the same rights.

module "sweeper" {
  source = "./modules/function"

  name         = "sweeper"
  description  = "Delivers what is due."
  target       = "Sweeper"
  installation = local.installation
  build        = local.build
  database     = { resource = local.database_resources["pricing"], role = google_project_iam_custom_role.database["executor"].id }
  invokers     = { clock = google_service_account.clock.member }
  internal     = true # Cloud Scheduler in the same project counts as inside

  # One sweep at a time in an instance. While a large table keeps one busy, the
  # next minute's call goes to another.
  size = merge(var.sizes.sweeper, { concurrency = 1, timeout = local.sweep_timeout })

  after   = terraform_data.drain
  secrets = merge(var.audit_key_secret == "" ? {} : { AUDIT_KEY = var.audit_key_secret }, local.notify_secrets)

  environment = merge(local.tables_environment, local.approval_environment, local.executing_environment, local.notify_environment)
}

# The webhook that the sweeper tells what waits and what became of it, and for whom that is.
locals {
  notify_secrets = { for name, secret in {
    NOTIFY_URL    = var.notify_url_secret
    NOTIFY_SECRET = var.notify_signing_secret
  } : name => secret if secret != "" }

  notify_environment = merge(local.role_environment, local.public_url == "" ? {} : { PUBLIC_URL = local.public_url })
}

locals {
  # The longest that Cloud Scheduler waits; a sweep ends a minute before.
  sweep_timeout = 1800

  sweeps = {
    due   = { schedule = "* * * * *", description = "Delivers what is due." }
    inbox = { schedule = "17 * * * *", description = "Delivers what lies forgotten in the inbox." }
  }
}

resource "google_cloud_scheduler_job" "sweep" {
  for_each = local.sweeps

  name             = "${var.prefix}-sweep-${each.key}"
  description      = each.value.description
  region           = var.region
  schedule         = each.value.schedule
  time_zone        = "Etc/UTC"
  attempt_deadline = "${local.sweep_timeout}s"

  # The next one comes by itself.
  retry_config {
    retry_count = 0
  }

  http_target {
    http_method = "POST"
    uri         = "${module.sweeper.url}/${each.key}"

    oidc_token {
      service_account_email = google_service_account.clock.email
      audience              = module.sweeper.url
    }
  }

  depends_on = [time_sleep.services]
}

# As whom Cloud Scheduler calls the sweeper. It may do that, and nothing else.
resource "google_service_account" "clock" {
  account_id   = "${var.prefix}-clock"
  display_name = "Planwright: calls the sweeper"

  depends_on = [time_sleep.services]
}

resource "google_storage_bucket_iam_member" "sweeper" {
  for_each = local.executing_roles

  bucket = google_storage_bucket.data[each.value.bucket].name
  role   = each.value.role
  member = module.sweeper.member
}
