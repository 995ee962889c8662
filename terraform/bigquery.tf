# The audit in SQL. The tables read the audit bucket's files where they are:
# each is written once and never changed. A person who queries them needs to read
# the bucket too, as access.auditors do.

resource "google_bigquery_dataset" "audit" {
  dataset_id                 = "${replace(var.prefix, "-", "_")}_audit"
  friendly_name              = "Planwright's audit"
  description                = "What executions did, from the files in the audit bucket."
  location                   = var.region
  delete_contents_on_destroy = !var.deletion_protection

  access {
    role          = "OWNER"
    special_group = "projectOwners"
  }
  # By address, as the API answers: an iam_member would be a difference after
  # every apply.
  dynamic "access" {
    for_each = var.access.auditors
    content {
      role           = "READER"
      user_by_email  = startswith(access.value, "group:") ? null : split(":", access.value)[1]
      group_by_email = startswith(access.value, "group:") ? split(":", access.value)[1] : null
    }
  }

  depends_on = [time_sleep.services]
}

# A query is run, and billed, by the project.
resource "google_project_iam_member" "auditor_queries" {
  for_each = var.access.auditors

  project = var.project_id
  role    = "roles/bigquery.jobUser"
  member  = each.value

  condition {
    title       = local.own_binding.title
    description = local.own_binding.description
    expression  = local.own_binding.expression
  }
}

# {audit bucket}/executions/{execution_id}.jsonl holds the completed audit
# document on one line, {audit bucket}/changes/{execution_id}.jsonl one change a
# line. A field that a schema does not list is left in the file. Most of a document's fields
# stand under result. In files from before that they stand beside the others: a file never
# changes, so both are columns, and each view takes what is there.
locals {
  audit_tables = {
    executions = "Completed executions"
    changes    = "Every changed row; _FILE_NAME names the execution"
  }
}

# BigQuery refuses to read a table whose files are none. So each table has a
# first one, a row of nulls that no view shows. It stays as long as the bucket.
resource "google_storage_bucket_object" "first" {
  for_each = local.audit_tables

  bucket          = google_storage_bucket.data["audit"].name
  name            = "${each.key}/first.jsonl" # too short for an execution's id
  content         = "{}\n"
  content_type    = "application/json"
  deletion_policy = "ABANDON"
}

resource "google_bigquery_table" "audit" {
  for_each = local.audit_tables

  dataset_id          = google_bigquery_dataset.audit.dataset_id
  table_id            = each.key
  description         = each.value
  schema              = file("${path.module}/schemas/${each.key}.json")
  deletion_protection = false # the data is in the bucket

  external_data_configuration {
    source_format         = "NEWLINE_DELIMITED_JSON"
    source_uris           = ["gs://${google_storage_bucket.data["audit"].name}/${each.key}/*.jsonl"]
    autodetect            = false # an empty bucket has nothing to detect
    ignore_unknown_values = true
  }

  depends_on = [google_storage_bucket_object.first]
}

locals {
  audit_views = {
    price_history = {
      description = "What happened to each SKU: WHERE sku = 'A101' ORDER BY executed_at"
      query       = <<-SQL
        SELECT
          c.sku, e.executed_at, e.execution_id, e.source_instruction, c.row,
          SAFE_CAST(c.before.price AS NUMERIC) AS price_before,
          SAFE_CAST(c.after.price AS NUMERIC) AS price_after,
          SAFE_CAST(NULLIF(c.before.sale_price, '') AS NUMERIC) AS sale_price_before,
          SAFE_CAST(NULLIF(c.after.sale_price, '') AS NUMERIC) AS sale_price_after,
          SAFE_CAST(NULLIF(c.before.compare_at, '') AS NUMERIC) AS compare_at_before,
          SAFE_CAST(NULLIF(c.after.compare_at, '') AS NUMERIC) AS compare_at_after,
          c.before.in_stock AS in_stock_before,
          c.after.in_stock AS in_stock_after,
          c.operation_ids,
          COALESCE(e.result.approval.by, e.approval.by) AS approved_by,
          COALESCE(e.result.undoes, e.undoes) AS undoes
        FROM (
          SELECT *, REGEXP_EXTRACT(_FILE_NAME, r'/changes/([a-zA-Z0-9_-]+)\.jsonl$') AS execution_id
          FROM `${var.project_id}.${google_bigquery_dataset.audit.dataset_id}.changes`
        ) AS c
        JOIN `${var.project_id}.${google_bigquery_dataset.audit.dataset_id}.executions` AS e USING (execution_id)
      SQL
    }
    executions_by_day = {
      description = "Completed executions and changed rows by day, in UTC"
      query       = <<-SQL
        SELECT
          DATE(executed_at) AS day,
          COUNT(*) AS executions,
          SUM(rows_total) AS rows_total,
          SUM(rows_changed) AS rows_changed,
          COUNTIF(
            ARRAY_LENGTH(result.warnings) > 0 OR ARRAY_LENGTH(warnings) > 0
            OR EXISTS (SELECT 1 FROM UNNEST(result.summary.operations) WHERE rows_matched = 0)
          ) AS with_warnings,
          COUNTIF(COALESCE(result.approval.by, approval.by) IS NOT NULL) AS approved,
          COUNTIF(COALESCE(result.undoes, undoes) IS NOT NULL) AS undos,
          SUM(COALESCE(result.summary.rows_stale, rows_stale)) AS rows_stale
        FROM `${var.project_id}.${google_bigquery_dataset.audit.dataset_id}.executions`
        WHERE execution_id IS NOT NULL
        GROUP BY day
      SQL
    }
    approvals = {
      description = "Who approved of what, when and with which note"
      query       = <<-SQL
        SELECT
          COALESCE(result.approval.at, approval.at) AS approved_at,
          COALESCE(result.approval.by, approval.by) AS approved_by,
          COALESCE(result.approval.note, approval.note) AS note,
          COALESCE(result.approval.proposal_sha256, approval.proposal_sha256) AS proposal_sha256,
          execution_id, executed_at, source_instruction, rows_total, rows_changed,
          COALESCE(result.plan_sha256, plan_sha256) AS plan_sha256
        FROM `${var.project_id}.${google_bigquery_dataset.audit.dataset_id}.executions`
        WHERE COALESCE(result.approval.by, approval.by) IS NOT NULL
      SQL
    }
    undos = {
      description = "What was undone by what, and the first rows that were left, for they were changed since"
      query       = <<-SQL
        SELECT
          e.execution_id, e.executed_at, e.source_instruction, e.rows_changed,
          u.execution_id AS undone_by, u.executed_at AS undone_at, u.rows_changed AS rows_undone,
          COALESCE(u.result.summary.rows_stale, u.rows_stale) AS rows_stale,
          IF(ARRAY_LENGTH(u.result.summary.stale) > 0, u.result.summary.stale, u.stale) AS stale
        FROM `${var.project_id}.${google_bigquery_dataset.audit.dataset_id}.executions` AS u
        JOIN `${var.project_id}.${google_bigquery_dataset.audit.dataset_id}.executions` AS e ON e.execution_id = COALESCE(u.result.undoes, u.undoes)
      SQL
    }
  }
}

resource "google_bigquery_table" "view" {
  for_each = local.audit_views

  dataset_id          = google_bigquery_dataset.audit.dataset_id
  table_id            = each.key
  description         = each.value.description
  deletion_protection = false

  view {
    query          = each.value.query
    use_legacy_sql = false
  }

  depends_on = [google_bigquery_table.audit]
}
