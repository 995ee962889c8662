# Workers for tables that are too large for the executor: planwright-pipeline has
# the same execution carried out on Dataflow. Its driver runs with the rights of
# the operator who types the command. The workers, under an account of their own,
# read the inbox, and create and read parts in outbox and audit bucket. They can
# neither replace nor delete there, and know no database.

resource "google_service_account" "pipeline" {
  count = local.pipeline

  account_id   = "${var.prefix}-pipeline"
  display_name = "Planwright (${var.prefix}): workers of the pipeline"

  depends_on = [time_sleep.services]
}

locals {
  pipeline = var.pipeline == null ? 0 : 1

  operators = var.pipeline == null ? toset([]) : var.pipeline.operators

  # Where the pipeline keeps its parts, and Dataflow the program.
  parts_folder = "_parts/"
}

resource "google_storage_bucket_iam_member" "pipeline" {
  for_each = { for key, grant in local.executing_roles : key => grant if local.pipeline == 1 }

  bucket = google_storage_bucket.data[each.value.bucket].name
  role   = each.value.role
  member = google_service_account.pipeline[0].member
}

# What Dataflow asks of every worker's account: to lease work and to report.
# https://cloud.google.com/dataflow/docs/concepts/security-and-permissions#worker-service-account
resource "google_project_iam_member" "pipeline_works" {
  count = local.pipeline

  project = var.project_id
  role    = "roles/dataflow.worker"
  member  = google_service_account.pipeline[0].member

  condition {
    title       = local.own_binding.title
    description = local.own_binding.description
    expression  = local.own_binding.expression
  }
}

# Operators start jobs, with workers under this account and no other.
resource "google_project_iam_member" "operator_starts" {
  for_each = local.operators

  project = var.project_id
  role    = "roles/dataflow.developer"
  member  = each.value

  condition {
    title       = local.own_binding.title
    description = local.own_binding.description
    expression  = local.own_binding.expression
  }
}

resource "google_service_account_iam_member" "operator_uses" {
  for_each = local.operators

  service_account_id = google_service_account.pipeline[0].name
  role               = "roles/iam.serviceAccountUser"
  member             = each.value
}

# The driver is an executor: it has the executor's rights.
resource "google_storage_bucket_iam_member" "operator" {
  for_each = { for pair in setproduct(local.operators, keys(local.executing_roles)) : "${pair[0]} ${pair[1]}" => { member = pair[0], grant = local.executing_roles[pair[1]] } }

  bucket = google_storage_bucket.data[each.value.grant.bucket].name
  role   = each.value.grant.role
  member = each.value.member
}

resource "google_project_iam_member" "operator_records" {
  for_each = local.operators

  project = var.project_id
  role    = google_project_iam_custom_role.database["executor"].id
  member  = each.value

  condition {
    title       = "database ${local.databases["pricing"]}"
    description = "Only the database of this installation."
    expression  = "resource.name == \"${local.database_resources["pricing"]}\""
  }
}
