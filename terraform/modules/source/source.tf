# What goes into a function's archive. Google's builder compiles the package at
# the root of the archive, so the function's own files stand there, beside the
# module's files and everything that the functions share. What only tests and
# measurements need stays out. rule.json says what that is, for this module and
# for `make package`; a test compares the two lists.
#
# The module needs no provider.

variable "function" {
  description = "The name of a folder in functions/."
  type        = string
  nullable    = false
}

locals {
  repository = "${path.module}/../../.."
  rule       = jsondecode(file("${path.module}/rule.json"))

  shared = concat(local.rule.files, flatten([
    for folder in local.rule.folders : [for file in fileset("${local.repository}/${folder}", "**") : "${folder}/${file}"]
  ]))
  own = fileset("${local.repository}/functions/${var.function}", "**")

  # From the name in the archive to the path in the repository.
  names = merge(
    { for file in local.own : file => "functions/${var.function}/${file}" },
    { for file in local.shared : file => file },
  )
  files = { for name, path in local.names : name => path if !can(regex(local.rule.exclude, name)) }
}

output "files" {
  description = "Every file of the archive: its name there, and its path from the root of the repository."
  value       = local.files
}

output "repository" {
  description = "The root of the repository."
  value       = local.repository
}
