# Names derive from the prefix. Bucket names are unique in all of Google Cloud,
# so they begin with the project's id, which is too.

locals {
  labels = merge(var.labels, { app = var.prefix, managed_by = "terraform" })

  buckets = { for name in ["inbox", "outbox", "audit", "tables", "source"] : name => "${var.project_id}-${var.prefix}-${name}" }

  databases = { for name in ["pricing", "sessions"] : name => "${var.prefix}-${name}" }

  # IAM's name of each database, for conditions.
  database_resources = { for name, id in local.databases : name => "projects/${var.project_id}/databases/${id}" }
}

# Where planner and session are called, and whom the tokens of their callers are
# for. Cloud Run gives a service a second address, which has a random part and is
# not known before the service is made: a function could not be told of it.
locals {
  addresses = { for name in ["planner", "session", "pages", "shops"] : name =>
    "https://${var.prefix}-${name}-${data.google_project.this.number}.${var.region}.run.app"
  }
  audiences = { for name, address in local.addresses : name => join(",", concat([address], var.token_audiences)) }
}

# Where two installations in one project grant the same role to the same member,
# each has a binding of its own by this condition, which always holds: to destroy
# one leaves the other's.
locals {
  own_binding = {
    title       = "installation ${var.prefix}"
    description = "Always holds. It keeps this installation's grant apart from others of the same role."
    expression  = "request.time > timestamp(\"2020-01-01T00:00:00Z\")"
  }
}

# Read while planning, so that no grant rests on what is known only after an
# apply: it would be made anew with every API that is added. The two APIs that
# this takes are enabled by hand, once (README.md).
data "google_project" "this" {
  project_id = var.project_id
}
