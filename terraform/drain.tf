# What one build of the engine sealed, that build alone can finish. So before
# executor and sweeper of another build take the traffic, sealed executions are
# waited for, which takes seconds. A delivery that is under way then ends on the
# instance that it began on.
#
# No provider waits until a query finds nothing. The script needs bash, curl and gcloud,
# as services.tf does; drain = false deploys without waiting.

locals {
  engine = one(regex("const Build = \"(\\w+)\"", file("${path.module}/../shared/pricing/pricing.go")))
}

resource "terraform_data" "drain" {
  count = var.drain ? 1 : 0

  triggers_replace = local.engine

  provisioner "local-exec" {
    command     = "${path.module}/drain"
    environment = { PROJECT = var.project_id, DATABASE = local.databases["pricing"], ENGINE = local.engine }
  }

  depends_on = [google_firestore_database.this]
}
