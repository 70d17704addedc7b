import { labelOf } from '../../generic/fields.ts'

export interface Permission {
  readonly id: number
  readonly name: string
}

export interface Role {
  readonly id: number
  readonly name: string
  readonly is_system: boolean
  /** URLs. */
  readonly permissions: readonly string[]
}

/** One row of the matrix: an object, and the permissions to read and to modify it, if they exist. */
export interface MatrixRow {
  readonly label: string
  readonly read?: Permission
  readonly modify?: Permission
}

/** The edited permissions of each role, by role id. */
export type EditedPermissions = ReadonlyMap<number, ReadonlySet<number>>

/** The permissions grouped by object; each of the others has its own row at the end. */
export function rowsOf(permissions: readonly Permission[]): readonly MatrixRow[] {
  const rows = new Map<string, MatrixRow>()
  const others: MatrixRow[] = []
  for (const permission of permissions) {
    const [, verb, object] = /^(read|modify) (.+)$/.exec(permission.name) ?? []
    if (verb && object) rows.set(object, { ...(rows.get(object) ?? { label: labelOf(object) }), [verb]: permission })
    else others.push({ label: labelOf(permission.name), modify: permission })
  }
  const byLabel = (a: MatrixRow, b: MatrixRow) => (a.label < b.label ? -1 : 1)
  return [...[...rows.values()].sort(byLabel), ...others.sort(byLabel)]
}

const idOf = (url: string): number => Number(url.slice(url.lastIndexOf('/') + 1))

/** The current permissions of the roles. */
export const permissionsOf = (roles: readonly Role[]): EditedPermissions =>
  new Map(roles.map(({ id, permissions }) => [id, new Set(permissions.map(idOf))]))

/** The permissions after granting or revoking one of a role. */
export function toggled(edited: EditedPermissions, role: number, permission: number): EditedPermissions {
  const held = new Set(edited.get(role))
  if (!held.delete(permission)) held.add(permission)
  return new Map(edited).set(role, held)
}

/** The changes to one role. */
export interface RoleChange {
  readonly role: Role
  readonly given: readonly string[]
  readonly taken: readonly string[]
}

/** The changes that were made, by role. */
export function changesOf(
  roles: readonly Role[],
  permissions: readonly Permission[],
  edited: EditedPermissions,
): readonly RoleChange[] {
  const before = permissionsOf(roles)
  const namesWhere = (applies: (id: number) => boolean) =>
    permissions.filter(({ id }) => applies(id)).map(({ name }) => name)
  return roles.flatMap((role) => {
    const [held, wanted] = [before.get(role.id), edited.get(role.id)]
    const given = namesWhere((id) => !held?.has(id) && wanted?.has(id) === true)
    const taken = namesWhere((id) => held?.has(id) === true && !wanted?.has(id))
    return given.length + taken.length > 0 ? [{ role, given, taken }] : []
  })
}

/** The request body that saves all changes together. */
export const savedRoles = (changes: readonly RoleChange[], edited: EditedPermissions) =>
  changes.map(({ role }) => ({ name: role.name, permissions: [...(edited.get(role.id) ?? [])] }))
