# The session function: your backend calls it for goal planning and the failure
# sequence, and the pages for goal planning, in the name of whom the proxy has signed in. It asks the model, reads and writes the sessions database, and has
# no access to any bucket.

module "session" {
  source = "./modules/function"

  name         = "session"
  description  = "Keeps the conversations with the agents."
  target       = "Session"
  installation = local.installation
  build        = local.build
  database     = { resource = local.database_resources["sessions"], role = "roles/datastore.user" }
  size         = merge(var.sizes.session, { timeout = local.request_timeout })
  invokers     = merge({ for member in var.access.session_callers : member => member }, local.console ? { console = module.console[0].member } : {})

  environment = merge(local.gemini_environment, local.console_environment, {
    GOOGLE_CLOUD_PROJECT = var.project_id
    FIRESTORE_DATABASE   = local.databases["sessions"]
    SESSION_TTL          = "${var.session_days * 24}h"
    SESSION_USER         = var.session_user
    TOKEN_AUDIENCES      = local.audiences["session"]
  })
}

# Vertex AI has no resource to grant its use on.
resource "google_project_iam_member" "session_model" {
  count = var.gemini == null ? 0 : 1

  project = var.project_id
  role    = "roles/aiplatform.user"
  member  = module.session.member
}
