# Tables that people talk about before anything is done with them: each is held for
# a day, and then gone for good. The planner has a part in this bucket, and where there
# is a shop its function creates what it fetched (function_shops.tf). Large tables are
# sent to an address that the planner opens, by whoever it is told.

resource "google_storage_bucket" "tables" {
  name                        = local.buckets["tables"]
  location                    = var.region
  uniform_bucket_level_access = true
  public_access_prevention    = "enforced"
  force_destroy               = true # what is held can be sent again

  soft_delete_policy {
    retention_duration_seconds = 0
  }

  dynamic "encryption" {
    for_each = local.kms_key[*]
    content {
      default_kms_key_name = encryption.value
    }
  }

  lifecycle_rule {
    action {
      type = "Delete"
    }
    condition {
      age        = 1
      with_state = "ANY"
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

resource "google_storage_bucket_iam_member" "planner_tables" {
  bucket = google_storage_bucket.tables.name
  role   = "roles/storage.objectUser"
  member = module.planner.member
}

# The planner hands a held table in as its caller's upload: it may create objects in
# one folder of the inbox, and nobody else may write there (storage.tf), so that the
# name which it writes with them is no uploader's to choose.
resource "google_storage_bucket_iam_member" "planner_inbox" {
  bucket = google_storage_bucket.data["inbox"].name
  role   = "roles/storage.objectCreator"
  member = module.planner.member

  condition {
    title      = "tables handed in"
    expression = local.handed_in
  }
}

# To show all rows that an undo proposes it reads what that takes back, the table that
# was handed in for it, and those that executions wrote.
resource "google_storage_bucket_iam_member" "planner_undoes" {
  for_each = {
    inbox = local.handed_in
    audit = "resource.name.startsWith(\"projects/_/buckets/${local.buckets["audit"]}/objects/changes/\")"
  }

  bucket = google_storage_bucket.data[each.key].name
  role   = "roles/storage.objectViewer"
  member = module.planner.member

  condition {
    title      = "what an undo proposes"
    expression = each.value
  }
}

resource "google_storage_bucket_iam_member" "planner_outbox" {
  bucket = google_storage_bucket.data["outbox"].name
  role   = "roles/storage.objectViewer"
  member = module.planner.member
}

locals {
  handed_in = "resource.name.startsWith(\"projects/_/buckets/${local.buckets["inbox"]}/objects/held/\")"
}

# As on the other buckets: owners alone.
resource "google_storage_bucket_iam_binding" "no_editors_of_tables" {
  for_each = toset(["legacyBucketOwner", "legacyBucketReader", "legacyObjectOwner", "legacyObjectReader"])

  bucket  = google_storage_bucket.tables.name
  role    = "roles/storage.${each.value}"
  members = ["projectOwner:${var.project_id}"]
}
