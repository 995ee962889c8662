# The planner: people call it to make, review and follow plans, and to decide
# about what is proposed. It asks the model, creates, reads and updates in the
# pricing database (it cannot delete there), and holds tables in a bucket of its
# own (tables.tf).

module "planner" {
  source = "./modules/function"

  name         = "planner"
  description  = "Turns instructions into plans, and shows what became of them."
  target       = "Planner"
  installation = local.installation
  build        = local.build
  database     = { resource = local.database_resources["pricing"], role = google_project_iam_custom_role.database["planner"].id }
  size         = merge(var.sizes.planner, { timeout = local.request_timeout })
  invokers     = merge({ for member in var.access.planner_callers : member => member }, local.console ? { console = module.console[0].member } : {})

  environment = merge(local.gemini_environment, local.tables_environment, local.approver_environment, local.console_environment, {
    GOOGLE_CLOUD_PROJECT = var.project_id
    FIRESTORE_DATABASE   = local.databases["pricing"]
    INBOX_BUCKET         = local.buckets["inbox"] # shown to people
    OUTBOX_BUCKET        = local.buckets["outbox"]
    AUDIT_BUCKET         = local.buckets["audit"]
    TABLES_BUCKET        = google_storage_bucket.tables.name
    UPLOADERS            = join(",", sort([for member in var.access.uploaders : split(":", member)[1] if !startswith(member, "group:")]))
    TOKEN_AUDIENCES      = local.audiences["planner"]
    SHOPS_URL            = var.shop == null ? "" : local.addresses["shops"]
    SHOP_KIND            = var.shop == null ? "" : var.shop.kind
    NOTIFICATIONS        = tostring(var.notify_url_secret != "") # the sweeper tells the webhook
  })
}

# Vertex AI has no resource to grant its use on.
resource "google_project_iam_member" "planner_model" {
  count = var.gemini == null ? 0 : 1

  project = var.project_id
  role    = "roles/aiplatform.user"
  member  = module.planner.member
}

locals {
  # The functions answer by themselves after 110 s.
  request_timeout = 120

  gemini_environment = var.gemini == null ? {} : { for name, value in {
    GOOGLE_GENAI_USE_VERTEXAI = "true"
    GOOGLE_CLOUD_LOCATION     = var.gemini.location
    GEMINI_MODEL              = var.gemini.model
    GEMINI_TIMEOUT            = var.gemini.timeout
    GEMINI_THINKING           = var.gemini.thinking
    GEMINI_TEMPERATURE        = var.gemini.temperature
    GEMINI_TOP_P              = var.gemini.top_p
    GEMINI_NAMES              = tostring(var.gemini.names)
  } : name => value if value != null }

  # Who does what.
  role_environment = { for role, people in var.roles : upper(role) => join(",", people) if length(people) > 0 }

  # Who decides about what is proposed, too.
  approver_environment = merge(
    { APPROVAL = var.approval.needed, APPROVAL_BY_ANOTHER = tostring(var.approval.by_another), APPROVAL_GCLOUD_TOKENS = tostring(var.approval.gcloud_tokens) },
    local.role_environment,
  )

  # The executor's settings, and those of a preview that asks for no others.
  tables_environment = { for name, value in {
    CSV_COLUMNS       = var.tables.columns
    CSV_PROFILE       = var.tables.profile
    CSV_DELIMITER     = var.tables.delimiter
    CSV_LINE_END      = var.tables.line_end
    CSV_ENCODING      = var.tables.encoding
    CSV_HEADER        = var.tables.header
    STOCK_WORDS       = var.tables.stock_words
    ODD_ROWS          = var.tables.odd_rows
    PRICE_FORM        = var.tables.price_form
    BLANK_PRICE       = var.tables.blank_price
    BLANK_STOCK       = var.tables.blank_stock
    IN_STOCK_QUANTITY = var.tables.in_stock_quantity == null ? "" : tostring(var.tables.in_stock_quantity)
    UNMATCHED         = var.tables.unmatched
    NEAR_NAMES        = var.tables.near_names
    SALE_DATES        = var.tables.sale_dates
  } : name => value if value != "" }
}
