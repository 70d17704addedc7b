import { bool, name, refs, text } from '../engine/field.ts'
import { defineResource } from '../engine/resource.ts'
import { stamps } from '../engine/stamps.ts'
import { standard } from '../engine/standard.ts'
import { memberships } from './memberships.ts'

export const roles = defineResource({
  collection: 'roles',
  changesCallers: true,
  title: 'Role',
  doc: 'Permissions that are given to users together.',
  key: ['name'],
  fields: {
    name: name(),
    description: text().default(''),
    is_system: bool().readOnly().describe('Built in: it can be neither deleted nor renamed.'),
    permissions: refs('permissions', 'role_permissions'),
    users: refs('users', 'role_users').guardedBy('modify user-roles'),
    ...stamps,
  },
  relations: ['permissions', 'users'],
  example: { name: 'Night shift', description: 'Looks after tickets.' },
  operations: memberships('role_users', standard),
})
