import { bool, name, refs, text } from '../engine/field.ts'
import { defineResource } from '../engine/resource.ts'
import { stamps } from '../engine/stamps.ts'
import { standard } from '../engine/standard.ts'
import { memberships } from './memberships.ts'

export const roles = defineResource({
  collection: 'roles',
  changesCallers: true,
  title: 'Role',
  doc: 'A set of permissions that can be granted to users.',
  key: ['name'],
  fields: {
    name: name(),
    description: text().default(''),
    is_system: bool().readOnly().describe('Whether the role is built in. Built-in roles cannot be deleted or renamed.'),
    permissions: refs('permissions', 'role_permissions'),
    users: refs('users', 'role_users').guardedBy('modify user-roles'),
    ...stamps,
  },
  relations: ['permissions', 'users'],
  example: { name: 'Night shift', description: 'Handles tickets overnight.' },
  operations: memberships('role_users', standard),
})
