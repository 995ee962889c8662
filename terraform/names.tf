# Names derive from the prefix. Bucket names are unique in all of Google Cloud,
# so they begin with the project's id, which is too.

locals {
  labels = merge(var.labels, { app = var.prefix, managed_by = "terraform" })

  buckets = { for name in ["inbox", "outbox", "audit", "source"] : name => "${var.project_id}-${var.prefix}-${name}" }

  databases = { for name in ["pricing", "sessions"] : name => "${var.prefix}-${name}" }

  # IAM's name of each database, for conditions.
  database_resources = { for name, id in local.databases : name => "projects/${var.project_id}/databases/${id}" }
}

data "google_project" "this" {
  project_id = var.project_id

  depends_on = [time_sleep.services]
}
