import assert from 'node:assert/strict'
import { test } from 'node:test'
import { changesOf, permissionsOf, rowsOf, savedRoles, toggled } from './permission-rows.ts'

const PERMISSIONS = [
  { id: 1, name: 'read tickets' },
  { id: 2, name: 'modify tickets' },
  { id: 3, name: 'read audit-trail' },
  { id: 4, name: 'lock/unlock users' },
]
const role = (id: number, ...held: number[]) => ({
  id,
  name: `role ${id}`,
  is_system: false,
  permissions: held.map((each) => `https://corvus.test/api/v2/permissions/${each}`),
})

test('permissions are grouped in rows by object, the others at the end', () => {
  assert.deepEqual(
    rowsOf(PERMISSIONS).map(({ label, read, modify }) => [label, read?.id, modify?.id]),
    [
      ['Audit trail', 3, undefined],
      ['Tickets', 1, 2],
      ['Lock/unlock users', undefined, 4],
    ],
  )
})

test('a edited lists granted and revoked permissions, and is sent with all permissions of a role', () => {
  const roles = [role(7, 1, 3), role(8, 1)]
  const edited = toggled(toggled(permissionsOf(roles), 7, 3), 7, 2)
  const changes = changesOf(roles, PERMISSIONS, edited)
  assert.deepEqual(changes, [{ role: roles[0], given: ['modify tickets'], taken: ['read audit-trail'] }])
  assert.deepEqual(savedRoles(changes, edited), [{ name: 'role 7', permissions: [1, 2] }])
})

test('a permission toggled twice is not a change', () => {
  const roles = [role(7, 1)]
  assert.deepEqual(changesOf(roles, PERMISSIONS, toggled(toggled(permissionsOf(roles), 7, 2), 7, 2)), [])
})
