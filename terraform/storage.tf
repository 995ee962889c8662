# Three buckets, because a function must not write into the bucket that
# triggers it: people drop tables into the inbox, results and notices appear in
# the outbox, and the audit bucket holds what was done.

locals {
  # What differs between the buckets; 0 days are never.
  bucket_rules = {
    # An execution may read a generation that was overwritten meanwhile.
    inbox  = { versioned = true, retention_days = 0, colder = { NEARLINE = 30 }, deleted_after_days = var.table_days.inbox }
    outbox = { versioned = false, retention_days = 0, colder = { NEARLINE = 30 }, deleted_after_days = var.table_days.outbox }
    audit  = { versioned = false, retention_days = var.audit_retention.days, colder = { COLDLINE = 365 }, deleted_after_days = 0 }
  }
}

resource "google_storage_bucket" "data" {
  for_each = local.bucket_rules

  name                        = local.buckets[each.key]
  location                    = var.region
  uniform_bucket_level_access = true
  public_access_prevention    = "enforced"
  force_destroy               = !var.deletion_protection

  # What is deleted by mistake can be restored for a week.
  soft_delete_policy {
    retention_duration_seconds = 7 * 24 * 3600
  }

  versioning {
    enabled = each.value.versioned
  }

  dynamic "encryption" {
    for_each = local.kms_key[*]
    content {
      default_kms_key_name = encryption.value
    }
  }

  dynamic "retention_policy" {
    for_each = each.value.retention_days > 0 ? [each.value.retention_days] : []
    content {
      retention_period = retention_policy.value * 24 * 3600
      is_locked        = var.audit_retention.locked
    }
  }

  dynamic "lifecycle_rule" {
    for_each = each.value.versioned ? [7] : []
    content {
      action {
        type = "Delete"
      }
      condition {
        days_since_noncurrent_time = lifecycle_rule.value
        with_state                 = "ARCHIVED"
      }
    }
  }

  dynamic "lifecycle_rule" {
    for_each = each.value.colder
    content {
      action {
        type          = "SetStorageClass"
        storage_class = lifecycle_rule.key
      }
      condition {
        age = lifecycle_rule.value
      }
    }
  }

  dynamic "lifecycle_rule" {
    for_each = each.value.deleted_after_days > 0 ? [each.value.deleted_after_days] : []
    content {
      action {
        type = "Delete"
      }
      condition {
        age        = lifecycle_rule.value
        with_state = "LIVE"
      }
    }
  }

  # What the pipeline's workers made, which is composed by then.
  dynamic "lifecycle_rule" {
    for_each = each.key == "inbox" || local.pipeline == 0 ? [] : [7]
    content {
      action {
        type = "Delete"
      }
      condition {
        age            = lifecycle_rule.value
        matches_prefix = [local.parts_folder]
        with_state     = "ANY"
      }
    }
  }

  lifecycle_rule {
    action {
      type = "AbortIncompleteMultipartUpload"
    }
    condition {
      age = 1
    }
  }

  depends_on = [time_sleep.services]
}

# People: uploaders use the inbox and read the outbox. gcloud looks and lists
# before it sends, and replacing a name is a deletion: to create alone is not
# enough. So each uploader can read, replace and delete what any uploader
# dropped. What was replaced or deleted stays there for a week, and an execution
# reads the version that it was told of.
resource "google_storage_bucket_iam_member" "uploader" {
  for_each = var.access.uploaders

  bucket = google_storage_bucket.data["inbox"].name
  role   = "roles/storage.objectUser"
  member = each.value

  condition {
    title       = "all but what the planner hands in"
    description = "The planner alone writes to held/, and the name of whose table it is."
    expression  = "!${local.handed_in}"
  }
}

resource "google_storage_bucket_iam_member" "outbox_reader" {
  for_each = var.access.uploaders

  bucket = google_storage_bucket.data["outbox"].name
  role   = "roles/storage.objectViewer"
  member = each.value
}

# Auditors read all that planwright verify compares.
resource "google_storage_bucket_iam_member" "auditor" {
  for_each = { for pair in setproduct(var.access.auditors, keys(local.bucket_rules)) : "${pair[0]} ${pair[1]}" => { member = pair[0], bucket = pair[1] } }

  bucket = google_storage_bucket.data[each.value.bucket].name
  role   = "roles/storage.objectViewer"
  member = each.value.member
}

resource "google_project_iam_member" "auditor_records" {
  for_each = var.access.auditors

  project = var.project_id
  role    = "roles/datastore.viewer"
  member  = each.value

  condition {
    title       = "database ${local.databases["pricing"]}"
    description = "Only the database of this installation."
    expression  = "resource.name == \"${local.database_resources["pricing"]}\""
  }
}

# A new bucket lets the project's editors write and its viewers read. These
# bindings are the whole of each role: owners alone have them here.
# https://cloud.google.com/storage/docs/access-control/iam-roles#legacy-roles
resource "google_storage_bucket_iam_binding" "no_editors" {
  for_each = { for pair in setproduct(keys(local.bucket_rules), ["legacyBucketOwner", "legacyBucketReader", "legacyObjectOwner", "legacyObjectReader"]) : "${pair[0]} ${pair[1]}" => pair }

  bucket  = google_storage_bucket.data[each.value[0]].name
  role    = "roles/storage.${each.value[1]}"
  members = ["projectOwner:${var.project_id}"]
}

# Who reads and writes what. What the functions read is left out, which is most of
# all; what is written as they is not, for an editor can run a program as one of
# them. A service's setting is one for the project: this takes the place of any
# other. Firestore's is set under Datastore's name.
# https://cloud.google.com/firestore/docs/audit-logging
resource "google_project_iam_audit_config" "data_access" {
  for_each = toset(var.data_access_logs ? ["datastore.googleapis.com", "storage.googleapis.com"] : [])

  project = var.project_id
  service = each.value

  audit_log_config {
    log_type = "DATA_WRITE"
  }
  audit_log_config {
    log_type         = "DATA_READ"
    exempted_members = [for function in concat([module.planner, module.executor, module.session, module.sweeper], module.shops) : function.member]
  }
}

# Said at each plan and apply until it is so.
check "evidence" {
  assert {
    condition     = var.audit_retention.locked && var.audit_key_secret != "" && var.data_access_logs
    error_message = "The audit is no proof against an owner of the project yet: ${join(" and ", concat(var.audit_retention.locked ? [] : ["audit_retention.locked is false, so an owner can end the retention and delete"], var.audit_key_secret == "" ? ["audit_key_secret is empty, so nothing is signed"] : [], var.data_access_logs ? [] : ["data_access_logs is false, so no log tells who wrote to Firestore"]))}. See README.md, Who may do what."
  }
}
