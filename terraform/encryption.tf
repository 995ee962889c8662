# A key of one's own for what is stored: buckets, databases, topics, images and
# functions. Each of Google's agents that stores for us (the proxy's does not) must be able to use it.

locals {
  # Once its grants are known.
  kms_key = one(time_sleep.kms_grants[*].triggers.key)

  kms_users = var.kms_key == "" ? {} : merge({ for api, agent in local.agents : api => agent if api != "iap.googleapis.com" }, {
    "storage.googleapis.com" = data.google_storage_project_service_account.this.member
  })
}

resource "google_kms_crypto_key_iam_member" "agent" {
  for_each = local.kms_users

  crypto_key_id = var.kms_key
  role          = "roles/cloudkms.cryptoKeyEncrypterDecrypter"
  member        = each.value

  condition {
    title       = local.own_binding.title
    description = local.own_binding.description
    expression  = local.own_binding.expression
  }

  depends_on = [terraform_data.agent]
}

resource "time_sleep" "kms_grants" {
  count = var.kms_key == "" ? 0 : 1

  create_duration = "240s"
  triggers        = { key = var.kms_key }

  depends_on = [google_kms_crypto_key_iam_member.agent]
}
