# The executor: Eventarc calls it for every object that appears in the inbox.
# It calls no model, reads the inbox, creates in outbox and audit (it can
# neither replace nor delete there), and reads and writes the pricing database.

module "executor" {
  source = "./modules/function"

  name        = "executor"
  description = "Carries plans out over uploaded tables, once each."
  target      = "Executor"
  project_id  = time_sleep.services.triggers.project_id # once its APIs are there
  region      = var.region
  prefix      = var.prefix
  build       = local.build
  database    = local.database_resources["pricing"]
  invokers    = { trigger = google_service_account.trigger.member }

  # One table at a time in an instance, for as long as an event may take.
  size = merge(var.sizes.executor, { concurrency = 1, timeout = local.event_timeout })

  trigger = {
    bucket  = google_storage_bucket.data["inbox"].name
    account = time_sleep.trigger_grants.triggers.account # once its grants are known
  }

  environment = merge(local.tables_environment, {
    GOOGLE_CLOUD_PROJECT = var.project_id
    FIRESTORE_DATABASE   = local.databases["pricing"]
    INBOX_BUCKET         = google_storage_bucket.data["inbox"].name
    OUTBOX_BUCKET        = google_storage_bucket.data["outbox"].name
    AUDIT_BUCKET         = google_storage_bucket.data["audit"].name

    # The functions framework makes it the deadline of each delivery, before
    # which an attempt stops and says how far it came.
    CLOUD_RUN_TIMEOUT_SECONDS = tostring(local.event_timeout)
  })
}

locals {
  event_timeout = 540 # the most that Cloud Functions gives an event
}

resource "google_storage_bucket_iam_member" "executor" {
  for_each = {
    read_inbox    = { bucket = "inbox", role = "roles/storage.objectViewer" }
    create_outbox = { bucket = "outbox", role = "roles/storage.objectCreator" }
    read_outbox   = { bucket = "outbox", role = "roles/storage.objectViewer" }
    create_audit  = { bucket = "audit", role = "roles/storage.objectCreator" }
    read_audit    = { bucket = "audit", role = "roles/storage.objectViewer" }
  }

  bucket = google_storage_bucket.data[each.value.bucket].name
  role   = each.value.role
  member = module.executor.member
}

# Who delivers the events. It may call the executor, and nothing else.
resource "google_service_account" "trigger" {
  account_id   = "${var.prefix}-trigger"
  display_name = "Planwright: delivers the inbox's events"

  depends_on = [google_project_service.needed]
}

# Receiving events can be granted on the project alone.
resource "google_project_iam_member" "trigger" {
  project = var.project_id
  role    = "roles/eventarc.eventReceiver"
  member  = google_service_account.trigger.member
}

# Cloud Storage publishes the inbox's events. The topic is made by Eventarc
# together with the trigger, so the grant is on the project.
data "google_storage_project_service_account" "this" {
  depends_on = [time_sleep.services]
}

resource "google_project_iam_member" "storage_events" {
  project = var.project_id
  role    = "roles/pubsub.publisher"
  member  = data.google_storage_project_service_account.this.member
}

# A trigger that comes before its grants are known everywhere is refused.
resource "time_sleep" "trigger_grants" {
  create_duration = "120s"
  triggers        = { account = google_service_account.trigger.email }

  depends_on = [
    time_sleep.services,
    google_project_iam_member.trigger,
    google_project_iam_member.storage_events,
  ]
}
