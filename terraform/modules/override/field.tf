# One step of the chain in firestore.tf: a field of each database, in the form
# of Firebase's firestore.indexes.json.

variable "fields" {
  description = "The fields that are left out of every index, and whether they say when their document is deleted: by database."
  type = map(object({
    collectionGroup = string
    fieldPath       = string
    ttl             = optional(bool, false)
  }))
  nullable = false
}

resource "google_firestore_field" "this" {
  for_each = var.fields

  database   = each.key
  collection = each.value.collectionGroup
  field      = each.value.fieldPath

  # An empty block takes the field out of every index.
  index_config {}

  dynamic "ttl_config" {
    for_each = each.value.ttl ? [true] : []
    content {}
  }
}

output "fields" {
  description = "The fields that this step changes."
  value = [for field in google_firestore_field.this : {
    database = field.database, collection = field.collection, field = field.field, ttl = length(field.ttl_config) > 0
  }]
}
