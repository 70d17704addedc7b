import { name } from '../engine/field.ts'
import { defineResource } from '../engine/resource.ts'
import { readOnly } from '../engine/standard.ts'

export const permissions = defineResource({
  collection: 'permissions',
  title: 'Permission',
  doc: 'A permission that a role can grant, such as `read entities`.',
  key: ['name'],
  fields: { name: name().readOnly() },
  operations: readOnly,
})
