variable "project_id" {
  description = "The id of the Google Cloud project, which has billing."
  type        = string
  nullable    = false

  validation {
    condition     = can(regex("^[a-z][a-z0-9-]{4,28}[a-z0-9]$", var.project_id))
    error_message = "project_id must be a project's id, such as my-shop-123456: 6 to 30 lower-case letters, digits and hyphens."
  }
}

variable "region" {
  description = "Where everything is: functions, buckets, databases and the BigQuery dataset. It cannot be changed later."
  type        = string
  default     = "us-central1"
  nullable    = false

  validation {
    condition     = can(regex("^[a-z]+-[a-z]+[0-9]+$", var.region))
    error_message = "region must be a region of Google Cloud, such as europe-west1."
  }
}

variable "prefix" {
  description = "What every name begins with. Two prefixes are two installations in one project, each with a state of its own: make deploy PREFIX=..."
  type        = string
  default     = "planwright"
  nullable    = false

  validation {
    # The longest name is an account's, {prefix}-executor: 30 characters at most.
    condition     = can(regex("^[a-z][a-z0-9-]{1,18}[a-z0-9]$", var.prefix)) && !strcontains(var.prefix, "--")
    error_message = "prefix must be 3 to 20 lower-case letters, digits and single hyphens, and begin with a letter."
  }

  validation {
    condition     = contains(["default", var.prefix], terraform.workspace)
    error_message = "The workspace ${terraform.workspace} keeps the state of another installation, which would be destroyed for ${var.prefix}. make deploy PREFIX=... selects an installation's own, make deploy the first one's."
  }
}

variable "labels" {
  description = "Labels on everything that can have them, beside app and managed_by."
  type        = map(string)
  default     = {}
  nullable    = false
}

variable "access" {
  description = <<-E
    Who may do what. Members are written as in IAM: user:ana@example.com,
    group:shop@example.com, serviceAccount:backend@my-project.iam.gserviceaccount.com.
      planner_callers  call the planner: make, review and follow plans
      session_callers  call the session function: your backend. Each can read and continue the sessions of every user, unless session_user says otherwise
      uploaders        use the inbox (each can read, replace and delete what any of them dropped) and fetch results from the outbox
      auditors         read the audit bucket and query the audit in BigQuery
      console_users    sign in to the pages, which are there once somebody is named: look, and download what executions wrote. What else each may do say roles and, by name, uploaders
  E
  type = object({
    planner_callers = optional(set(string), [])
    session_callers = optional(set(string), [])
    uploaders       = optional(set(string), [])
    auditors        = optional(set(string), [])
    console_users   = optional(set(string), [])
  })
  default  = {}
  nullable = false

  validation {
    condition = alltrue([
      for member in setunion(values(var.access)...) :
      can(regex("^(user|group|serviceAccount):[^@ ]+@[^@ ]+$", member))
    ])
    error_message = "Each member must be user:, group: or serviceAccount: with an address. Nothing is opened to allUsers, allAuthenticatedUsers or a whole domain."
  }
}

variable "gemini" {
  description = <<-E
    The model that plans and converses, through Vertex AI; null: there is none, the planner reads instructions by its grammar alone, and nobody converses.
      model     its name
      location  global, or where the data stays: us or eu; of models from Gemini 3 on, regions serve gemini-3.5-flash alone
      timeout   the longest that one call may take, retries included; a plan is waited for 12 s at most
      thinking  how much it thinks before it answers: low, medium or high; it is billed as written
      temperature, top_p  how freely it chooses its words; null leaves it to the model
      names     whether it is told names of a shop's categories, brands, tags, SKUs and products that resemble words of the instruction
  E
  type = object({
    model    = optional(string, "gemini-3.8-flash")
    location = optional(string, "global")
    timeout  = optional(string, "45s")
    thinking = optional(string, "low")

    temperature = optional(number)
    top_p       = optional(number)
    names       = optional(bool, true)
  })
  default = {}

  validation {
    condition     = var.gemini == null ? true : can(regex("^[1-9][0-9]*s$", var.gemini.timeout)) && try(tonumber(trimsuffix(var.gemini.timeout, "s")) <= 90, false)
    error_message = "gemini.timeout must be whole seconds up to 90s, such as 45s: a request ends after two minutes."
  }

  validation {
    condition     = var.gemini == null ? true : contains(["low", "medium", "high"], var.gemini.thinking)
    error_message = "gemini.thinking must be low, medium or high."
  }

  validation {
    condition     = var.gemini == null ? true : contains(["global", "us", "eu"], var.gemini.location) || ((!startswith(var.gemini.model, "gemini-3") || var.gemini.model == "gemini-3.5-flash") && can(regex("^[a-z]+-[a-z]+[0-9]+$", var.gemini.location)))
    error_message = "gemini.location must be global, us or eu; a region, such as europe-west1, serves models before Gemini 3 and gemini-3.5-flash alone."
  }
}

variable "tables" {
  description = <<-E
    How tables are read that say nothing themselves. What is empty is found in the table.
      columns              names of the columns, such as sku=Variant SKU,price=Variant Price
      profile              the platform whose export it is, such as shopify
      delimiter            comma, semicolon, tab or pipe
      line_end             LF, CRLF, CR or CRCRLF
      encoding             the encoding by its IANA name, such as windows-1251; empty: UTF-8, UTF-16 and windows-1252 are found
      header               none where the first row has no titles; empty: first
      price_form           how prices write the number 1234.56, such as 1.234,56
      blank_stock          what a row without a word or quantity of stock is: error, in or out; empty: as the profile says, else error
      blank_price          error refuses a table with a row that has no price, keep leaves such rows alone; empty: as the profile says, else error
      stock_words          the two words of the column that tells what is in stock, such as in=Disponibile,out=Esaurito
      odd_rows             refuse refuses a table with a cell that cannot be read and is needed, leave leaves the row alone; empty: refuse
      in_stock_quantity    the quantity to write where a plan puts a row with none in stock
      unmatched            error refuses a plan that names a category or SKU that no row has, allow goes on with a warning; what a plan leaves out is let go by its own words alone, given with the upload
      near_names           error refuses a plan that names one of several names of the table that look the same, exact takes them for different things
      sale_dates           clear blanks the dates of sales that a plan looks at, makes or ends, ignore leaves them; empty: a table with some is refused
  E
  type = object({
    columns           = optional(string, "")
    profile           = optional(string, "")
    delimiter         = optional(string, "")
    line_end          = optional(string, "")
    encoding          = optional(string, "")
    header            = optional(string, "")
    stock_words       = optional(string, "")
    odd_rows          = optional(string, "")
    price_form        = optional(string, "")
    blank_price       = optional(string, "")
    blank_stock       = optional(string, "")
    in_stock_quantity = optional(number)
    unmatched         = optional(string, "")
    near_names        = optional(string, "")
    sale_dates        = optional(string, "")
  })
  default  = {}
  nullable = false

  validation {
    condition     = contains(["", "first", "none"], var.tables.header)
    error_message = "tables.header must be first or none."
  }
  validation {
    condition     = contains(["", "refuse", "leave"], var.tables.odd_rows)
    error_message = "tables.odd_rows must be refuse or leave."
  }
  validation {
    condition     = contains(["", "error", "keep"], var.tables.blank_price)
    error_message = "tables.blank_price must be error or keep."
  }
  validation {
    condition     = contains(["", "error", "in", "out"], var.tables.blank_stock)
    error_message = "tables.blank_stock must be error, in or out."
  }

  validation {
    condition     = contains(["", "error", "allow"], var.tables.unmatched)
    error_message = "tables.unmatched must be error or allow."
  }

  validation {
    condition     = contains(["", "error", "exact"], var.tables.near_names)
    error_message = "tables.near_names must be error or exact."
  }

  validation {
    condition     = contains(["", "clear", "ignore"], var.tables.sale_dates)
    error_message = "tables.sale_dates must be clear or ignore."
  }

  validation {
    condition     = var.tables.in_stock_quantity == null ? true : var.tables.in_stock_quantity >= 1 && floor(var.tables.in_stock_quantity) == var.tables.in_stock_quantity
    error_message = "tables.in_stock_quantity must be a whole number of at least 1."
  }
}

variable "approval" {
  description = <<-E
    Which results wait until somebody approves of them, and who may.
      needed        never, always, or over: where more than over_rows rows change, a price moves by more than over_percent, or there are warnings
      over_rows     a number of rows
      over_percent  a share of one price, such as 20
      by_another    true keeps the author of a plan from approving of what it does
      gcloud_tokens  false refuses approvals and rejections by the tokens that gcloud gives people, which are for no program in particular
    A plan and an upload can ask for an approval, never do without one.
  E
  type = object({
    needed       = optional(string, "never")
    over_rows    = optional(number)
    over_percent = optional(number)
    by_another   = optional(bool, false)

    gcloud_tokens = optional(bool, true)
  })
  default  = {}
  nullable = false

  validation {
    condition     = contains(["never", "always", "over"], var.approval.needed)
    error_message = "approval.needed must be never, always or over."
  }

  validation {
    condition     = var.approval.over_rows == null ? true : var.approval.over_rows >= 1 && floor(var.approval.over_rows) == var.approval.over_rows
    error_message = "approval.over_rows must be a whole number of at least 1."
  }

  validation {
    condition     = var.approval.over_percent == null ? true : var.approval.over_percent > 0
    error_message = "approval.over_percent must be more than 0."
  }
}

variable "roles" {
  description = <<-E
    What each caller of the planner may do, by email address. Whoever is let in may look.
      viewers    look only, unless another role names them
      planners   have plans made, carried out, proposed and undone; none: every caller who is no viewer
      approvers  approve and reject; none: every caller who is no viewer
      operators  have an execution wait for an approval, and undone; none: every caller who is no viewer
  E
  type = object({
    viewers   = optional(set(string), [])
    planners  = optional(set(string), [])
    approvers = optional(set(string), [])
    operators = optional(set(string), [])
  })
  default  = {}
  nullable = false

  validation {
    condition     = alltrue([for address in setunion(values(var.roles)...) : can(regex("^[^@ ,:]+@[^@ ,:]+$", address))])
    error_message = "roles has email addresses, such as ana@example.com: the planner knows people, and no groups."
  }
}

variable "public_url" {
  description = "The address of the pages, without a path, such as https://planwright.example.com: where the links in notices lead. With access.console_users the pages answer to this name alone; empty: Cloud Run's own."
  type        = string
  default     = ""
  nullable    = false

  validation {
    condition     = can(regex("^(https://[^/?# ]+)?$", var.public_url))
    error_message = "public_url must be an address without a path, such as https://planwright.example.com."
  }
}

variable "notify_url_secret" {
  description = "The name of a secret in Secret Manager that holds the URL of the webhook that is told what waits and what became of it: of Slack, Google Chat or Microsoft Teams, or any that takes JSON. Empty: none is told. Whoever knows the URL can post there, so it is never written here."
  type        = string
  default     = ""
  nullable    = false

  validation {
    condition     = can(regex("^[a-zA-Z0-9_-]{0,255}$", var.notify_url_secret))
    error_message = "notify_url_secret must be a secret's name alone, such as planwright-notify-url: never the URL itself."
  }

  validation {
    condition     = var.notify_url_secret == "" || var.public_url != "" || length(var.access.console_users) > 0
    error_message = "What the webhook is told has a link: set public_url to the address of the pages, or name access.console_users."
  }
}

variable "notify_signing_secret" {
  description = "The name of a secret in Secret Manager that holds the key, of at least 16 characters, by which the webhook's receiver knows that a notice is ours. It belongs to notify_url_secret."
  type        = string
  default     = ""
  nullable    = false

  validation {
    condition     = can(regex("^[a-zA-Z0-9_-]{0,255}$", var.notify_signing_secret))
    error_message = "notify_signing_secret must be a secret's name alone, such as planwright-notify-key: never the key itself."
  }

  validation {
    condition     = (var.notify_signing_secret == "") == (var.notify_url_secret == "")
    error_message = "notify_url_secret and notify_signing_secret belong together."
  }
}

variable "notices" {
  description = "Gone, and refused, so that nobody believes that mail is still sent: set notify_url_secret."
  type        = any
  default     = null

  validation {
    condition     = var.notices == null
    error_message = "notices is gone: Planwright sends no e-mail and has no addresses by role any more. Remove it and set notify_url_secret and notify_signing_secret, one webhook that is told for all roles."
  }
}

variable "session_days" {
  description = "How many days a conversation is kept that nobody goes on with."
  type        = number
  default     = 30
  nullable    = false

  validation {
    condition     = var.session_days >= 1 && var.session_days <= 3650 && floor(var.session_days) == var.session_days
    error_message = "session_days must be a whole number from 1 to 3650."
  }
}

variable "token_audiences" {
  description = <<-E
    Whom the identity tokens of callers may be for, beside planner_url and
    session_url: other addresses of these functions, such as one of your own
    domain, or the one with a random part that Cloud Run shows too.
  E
  type        = list(string)
  default     = []
  nullable    = false

  validation {
    condition     = alltrue([for audience in var.token_audiences : can(regex("^[^ ,]+$", audience))])
    error_message = "Each audience is an address without blanks and commas, such as https://plans.example.com."
  }
}

variable "session_user" {
  description = <<-E
    Whose sessions a member of access.session_callers may use.
      named     those of any user that it names: a backend that has logged its users in
      verified  its own alone, of the user that is its verified email address
  E
  type        = string
  default     = "named"
  nullable    = false

  validation {
    condition     = contains(["named", "verified"], var.session_user)
    error_message = "session_user must be named or verified."
  }
}

variable "shop" {
  description = "The shop that is fetched and written back to: its kind (woocommerce), its address, and the names of two secrets in Secret Manager that hold the key and the secret of its REST API. Null: none is connected."
  type = object({
    kind          = optional(string, "woocommerce")
    url           = string
    key_secret    = string
    secret_secret = string
  })
  default = null

  validation {
    condition     = var.shop == null || can(regex("^https://[^/?#@ ]+(/[^?#@ ]*)?$", var.shop.url))
    error_message = "shop.url must be the shop's address, such as https://shop.example: its keys are sent over https alone."
  }

  validation {
    condition     = var.shop == null || alltrue([for name in [try(var.shop.key_secret, ""), try(var.shop.secret_secret, "")] : can(regex("^[a-zA-Z0-9_-]{1,255}$", name))])
    error_message = "shop.key_secret and shop.secret_secret must be names of secrets alone, such as planwright-shop-key: never the keys themselves."
  }
}

variable "sizes" {
  description = <<-E
    Memory, CPU and instances of each function. The defaults:
      planner   waits for the model most of the time, so one instance takes several requests; a preview may hold 30 MiB
      executor  one table at a time: streaming needs little memory and a whole CPU, and 540 s is the most that an event may take
      sweeper   as the executor, for what its events left
      session   waits for the model most of the time; a turn holds less than 10 MiB
    max_instances bounds what a flood of requests or files can cost, executor.table_gib how large a table executor and sweeper begin: by default what one delivery reads and writes at 40 MB/s.
  E
  type = object({
    planner = optional(object({
      memory        = optional(string, "1Gi")
      cpu           = optional(string, "1")
      concurrency   = optional(number, 16)
      min_instances = optional(number, 0)
      max_instances = optional(number, 5)
    }), {})
    executor = optional(object({
      memory        = optional(string, "512Mi")
      cpu           = optional(string, "1")
      min_instances = optional(number, 0)
      max_instances = optional(number, 10)
      table_gib     = optional(number, 16)
    }), {})
    sweeper = optional(object({
      memory        = optional(string, "512Mi")
      cpu           = optional(string, "1")
      min_instances = optional(number, 0)
      max_instances = optional(number, 3)
    }), {})
    session = optional(object({
      memory        = optional(string, "512Mi")
      cpu           = optional(string, "1")
      concurrency   = optional(number, 20)
      min_instances = optional(number, 0)
      max_instances = optional(number, 10)
    }), {})
  })
  default  = {}
  nullable = false

  validation {
    condition     = alltrue([for size in values(var.sizes) : size.max_instances >= 1 && size.min_instances >= 0 && size.min_instances <= size.max_instances])
    error_message = "Of each function, max_instances must be at least 1, and min_instances from 0 to max_instances."
  }

  validation {
    condition     = var.sizes.executor.table_gib >= 1 && var.sizes.executor.table_gib <= 5120 && floor(var.sizes.executor.table_gib) == var.sizes.executor.table_gib
    error_message = "sizes.executor.table_gib must be a whole number from 1 to 5120."
  }
}

variable "audit_retention" {
  description = "How many days nothing in the audit bucket can be deleted or replaced, by anyone. Locking it cannot be undone: the days can then only grow, and the bucket stays until its last object is that old."
  type = object({
    days   = optional(number, 365)
    locked = optional(bool, false)
  })
  default  = {}
  nullable = false

  validation {
    condition     = var.audit_retention.days >= 1 && var.audit_retention.days <= 36500 && floor(var.audit_retention.days) == var.audit_retention.days
    error_message = "audit_retention.days must be a whole number from 1 to 36500."
  }
}

variable "audit_key_secret" {
  description = "The name of a secret in Secret Manager of this project that holds the key, made by planwright key, with which the executor signs the tree of audit documents. Without one no tree is signed, and planwright verify --cloud says so."
  type        = string
  default     = ""
  nullable    = false

  validation {
    condition     = can(regex("^[a-zA-Z0-9_-]{0,255}$", var.audit_key_secret))
    error_message = "audit_key_secret must be a secret's name alone, such as planwright-audit-key."
  }
}

variable "audit_epoch" {
  description = "How often the pricing database was put back to an earlier state. Raise it by one after a restore: the signed tree of audit documents then begins a new epoch, linked to the last head of the one before."
  type        = number
  default     = 0
  nullable    = false

  validation {
    condition     = var.audit_epoch >= 0 && var.audit_epoch <= 999999 && floor(var.audit_epoch) == var.audit_epoch
    error_message = "audit_epoch must be a whole number from 0."
  }
}

variable "table_days" {
  description = "After how many days tables are deleted from inbox and outbox; 0 keeps them, in a colder class after 30 days. An execution whose table is gone can no longer be undone or verified."
  type = object({
    inbox  = optional(number, 0)
    outbox = optional(number, 0)
  })
  default  = {}
  nullable = false

  validation {
    # An event is tried again for up to 7 days.
    condition     = alltrue([for days in values(var.table_days) : days == 0 || days >= 8 && floor(days) == days])
    error_message = "table_days must be 0, or whole numbers of 8 and more."
  }
}

variable "alert_emails" {
  description = "Addresses that alerts are sent to. Without one, alerts show in the console only."
  type        = set(string)
  default     = []
  nullable    = false

  validation {
    condition     = alltrue([for address in var.alert_emails : can(regex("^[^@ ]+@[^@ ]+$", address))])
    error_message = "Each of alert_emails must be an address, such as ana@example.com."
  }
}

variable "deletion_protection" {
  description = "Keeps databases, buckets with objects and the dataset from being deleted. Set it to false, apply, and then destroy."
  type        = bool
  default     = true
  nullable    = false
}

variable "drain" {
  description = "Waits, before another build of the engine is deployed, until what the one before sealed is finished. False deploys at once: what is left then waits for its build."
  type        = bool
  default     = true
  nullable    = false
}

variable "data_access_logs" {
  description = <<-E
    Logs who writes and reads documents of Firestore and objects of Cloud Storage, but for what the functions read.
    Google knows one setting for each service of a project: true takes the place of what was set for these two before,
    and a destroy ends it. Of two installations in one project let one have it.
  E
  type        = bool
  default     = false
  nullable    = false
}

variable "budget" {
  description = "Tells alert_emails when the project has spent half, nine tenths or all of so much in a month, or will have: the billing account's id, a whole amount, and its currency where that is not the account's."
  type = object({
    billing_account = string
    monthly         = number
    currency        = optional(string)
  })
  default = null

  validation {
    condition     = var.budget == null || try(can(regex("^[0-9A-F]{6}-[0-9A-F]{6}-[0-9A-F]{6}$", var.budget.billing_account)) && var.budget.monthly >= 1 && floor(var.budget.monthly) == var.budget.monthly, false)
    error_message = "budget must be a billing account such as 012345-6789AB-CDEF01, and a whole amount of at least 1."
  }
}

variable "kms_key" {
  description = "A key of Cloud KMS, in the same region, that encrypts all that is stored: projects/{project}/locations/{region}/keyRings/{ring}/cryptoKeys/{key}. Empty: Google's keys. Databases cannot change it later."
  type        = string
  default     = ""
  nullable    = false

  validation {
    condition     = var.kms_key == "" || can(regex("^projects/[^/]+/locations/${var.region}/keyRings/[^/]+/cryptoKeys/[^/]+$", var.kms_key))
    error_message = "kms_key must be a key in ${var.region}: projects/{project}/locations/${var.region}/keyRings/{ring}/cryptoKeys/{key}."
  }
}

variable "network" {
  description = "A VPC network and subnetwork through which the functions reach everything. The subnetwork needs Private Google Access."
  type = object({
    network    = string
    subnetwork = string
    tags       = optional(list(string))
  })
  default = null
}

variable "binary_authorization" {
  description = "The binary authorization policy that the functions' images must pass, or default for the project's. Null asks for none."
  type        = string
  default     = null
}

variable "pipeline" {
  description = "Who may have tables that are too large for the executor carried out on Dataflow, with planwright-pipeline. Null: nobody, and no workers' account is made."
  type = object({
    operators = set(string)
  })
  default = null

  validation {
    condition     = var.pipeline == null ? true : alltrue([for member in var.pipeline.operators : can(regex("^(user|group|serviceAccount):[^ ]+@[^ ]+$", member))])
    error_message = "Each of pipeline.operators must be such as user:ana@example.com, group:shop@example.com or serviceAccount:name@project.iam.gserviceaccount.com."
  }
}
