import { bool, name, refs, text } from '../engine/field.ts'
import { defineResource } from '../engine/resource.ts'
import { stamps } from '../engine/stamps.ts'
import { standard } from '../engine/standard.ts'
import { changingCallers } from './changing-callers.ts'
import { memberships } from './memberships.ts'

export const roles = defineResource({
  collection: 'roles',
  title: 'Role',
  doc: 'A set of permissions that can be granted to users.',
  key: ['name'],
  fields: {
    name: name(),
    description: text().default(''),
    is_system: bool().readOnly().describe('Whether the role is built in. Built-in roles cannot be deleted or renamed.'),
    permissions: refs('permissions', 'role_permissions').linkable(),
    users: refs('users', 'role_users').linkable().guardedBy('modify user-roles'),
    ...stamps,
  },
  example: { name: 'Night shift', description: 'Handles tickets overnight.' },
  routes: changingCallers,
  operations: memberships('role_users', standard),
})
