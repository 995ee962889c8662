# Two databases, so that neither side can read the other's: plans, executions
# and audit in one, conversations in the other. indexes.json says which indexes
# their queries need and which fields are left out of indexing, in the form of
# Firebase's firestore.indexes.json; a test compares it with the queries.

locals {
  indexes = jsondecode(file("${path.module}/indexes.json"))

  composite_indexes = merge([for database, described in local.indexes : {
    for index in described.indexes :
    join("/", concat([database, index.collectionGroup], [for field in index.fields : field.fieldPath])) => merge(index, { database = database })
  }]...)

  field_overrides = merge([for database, described in local.indexes : {
    for field in described.fieldOverrides :
    "${database}/${field.collectionGroup}/${field.fieldPath}" => merge({ ttl = false }, field, { database = database })
  }]...)
}

resource "google_firestore_database" "this" {
  for_each = local.databases

  name                              = each.value
  location_id                       = var.region
  type                              = "FIRESTORE_NATIVE"
  concurrency_mode                  = "OPTIMISTIC"
  point_in_time_recovery_enablement = "POINT_IN_TIME_RECOVERY_ENABLED"
  delete_protection_state           = var.deletion_protection ? "DELETE_PROTECTION_ENABLED" : "DELETE_PROTECTION_DISABLED"
  deletion_policy                   = var.deletion_protection ? "ABANDON" : "DELETE"

  depends_on = [google_project_service.needed]
}

resource "google_firestore_index" "composite" {
  for_each = local.composite_indexes

  database    = google_firestore_database.this[each.value.database].name
  collection  = each.value.collectionGroup
  query_scope = each.value.queryScope

  dynamic "fields" {
    for_each = each.value.fields
    content {
      field_path   = fields.value.fieldPath
      order        = try(fields.value.order, null)
      array_config = try(fields.value.arrayConfig, null)
    }
  }
}

resource "google_firestore_field" "override" {
  for_each = local.field_overrides

  database   = google_firestore_database.this[each.value.database].name
  collection = each.value.collectionGroup
  field      = each.value.fieldPath

  # An empty block takes the field out of every index.
  index_config {}

  dynamic "ttl_config" {
    for_each = each.value.ttl ? [true] : []
    content {}
  }
}

# Point-in-time recovery reaches back seven days and ends with its database; a
# backup outlives it.
resource "google_firestore_backup_schedule" "weekly" {
  for_each = local.databases

  database  = google_firestore_database.this[each.key].name
  retention = "${28 * 24 * 3600}s"

  weekly_recurrence {
    day = "SUNDAY"
  }
}
