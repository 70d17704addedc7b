import { name } from '../engine/field.ts'
import { defineResource } from '../engine/resource.ts'
import { readOnly } from '../engine/standard.ts'

export const permissions = defineResource({
  collection: 'permissions',
  title: 'Permission',
  doc: 'Something that a role may allow, such as `read entities`.',
  key: ['name'],
  fields: { name: name().readOnly() },
  operations: readOnly,
})
