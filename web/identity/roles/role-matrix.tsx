import { Button, Group, List, Paper, SegmentedControl, Skeleton, Table, Text } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link, useBlocker, useNavigate, useSearch } from '@tanstack/react-router'
import { type KeyboardEvent, useState } from 'react'
import { call } from '../../api/call.ts'
import { listQuery } from '../../api/lists.ts'
import { useMay } from '../../api/session.ts'
import type { CollectionModel } from '../../generic/collections.ts'
import { ListPage } from '../../generic/list-page.tsx'
import { ErrorFaults } from '../../ui/faults.tsx'
import { PageHead } from '../../ui/page-head.tsx'
import { showToast } from '../../ui/toasts.tsx'
import {
  changesOf,
  type EditedPermissions,
  type MatrixRow,
  type Permission,
  permissionsOf,
  type Role,
  rowsOf,
  savedRoles,
  toggled,
} from './permission-rows.ts'
import classes from './role-matrix.module.css'

/** Roles as a permission matrix or as a list. */
export function RolesPage({ model }: { readonly model: CollectionModel }) {
  const { view } = useSearch({ strict: false }) as { view?: string }
  const navigate = useNavigate()
  const may = useMay()
  const views = (
    <SegmentedControl
      size="xs"
      aria-label="View"
      value={view === 'list' ? 'list' : 'matrix'}
      onChange={(next) =>
        void navigate({ to: `/admin/${model.slug}`, search: next === 'list' ? { view: 'list' } : {} })
      }
      data={[
        { value: 'matrix', label: 'Matrix' },
        { value: 'list', label: 'List' },
      ]}
    />
  )
  if (view === 'list' || !may('read permissions')) return <ListPage model={model} head={views} />
  return (
    <>
      <PageHead
        title="Roles"
        description="The permissions of each role. Users have the permissions of all their roles."
        actions={
          <>
            {views}
            {may('modify roles') && (
              <Button size="xs" component={Link} to="/admin/roles/new">
                Create role
              </Button>
            )}
          </>
        }
      />
      <Matrix />
    </>
  )
}

/** The role that always has all permissions. */
const ADMIN_ROLE = 'System Admin'

const ALL_ROLES = { limit: 2000 }

function Matrix() {
  const roles = useQuery(listQuery<Role>('roles', { ...ALL_ROLES, sort: 'name' }))
  const permissions = useQuery(listQuery<Permission>('permissions', ALL_ROLES))
  if (roles.error ?? permissions.error) return <ErrorFaults error={roles.error ?? permissions.error} />
  if (!roles.data || !permissions.data) return <Skeleton height={420} />
  const stamp = roles.dataUpdatedAt
  return <Editor key={stamp} roles={roles.data.data} permissions={permissions.data.data} />
}

interface EditorProps {
  readonly roles: readonly Role[]
  readonly permissions: readonly Permission[]
}

function Editor({ roles, permissions }: EditorProps) {
  const [edited, setEdited] = useState<EditedPermissions>(() => permissionsOf(roles))
  const queries = useQueryClient()
  const may = useMay()
  const changes = changesOf(roles, permissions, edited)
  const put = (data: ReturnType<typeof savedRoles>) => call('PUT', 'roles', { data })
  const invalidate = () => queries.invalidateQueries({ queryKey: ['roles'] })
  const saved = useMutation({
    mutationFn: () => put(savedRoles(changes, edited)),
    onSuccess: () => {
      const before = savedRoles(changes, permissionsOf(roles))
      showToast(changes.length === 1 ? 'Role saved' : `${changes.length} roles saved`, () =>
        put(before).then(invalidate),
      )
      return invalidate()
    },
  })
  useBlocker({
    shouldBlockFn: () =>
      changes.length > 0 &&
      !saved.isSuccess &&
      !window.confirm('Your changes have not been saved. Leave the page and discard them?'),
    enableBeforeUnload: () => changes.length > 0 && !saved.isSuccess,
  })
  return (
    <>
      <Grid
        roles={roles}
        rows={rowsOf(permissions)}
        edited={edited}
        isFixed={!may('modify roles')}
        onToggle={(role, permission) => setEdited(toggled(edited, role, permission))}
      />
      {changes.length > 0 && (
        <Paper withBorder p="sm" className={classes.changes ?? ''} role="region" aria-label="Changes">
          <ErrorFaults error={saved.error} />
          <Group justify="space-between" align="flex-end">
            <List size="sm">
              {changes.map(({ role, given, taken }) => (
                <List.Item key={role.id}>
                  <strong>{role.name}</strong>
                  {given.length > 0 && `: grant ${given.join(', ')}`}
                  {taken.length > 0 && `${given.length > 0 ? ';' : ':'} revoke ${taken.join(', ')}`}
                </List.Item>
              ))}
            </List>
            <Group gap="xs">
              <Button variant="default" size="xs" onClick={() => setEdited(permissionsOf(roles))}>
                Discard changes
              </Button>
              <Button size="xs" loading={saved.isPending} onClick={() => saved.mutate()}>
                Save changes
              </Button>
            </Group>
          </Group>
        </Paper>
      )}
    </>
  )
}

interface GridProps {
  readonly roles: readonly Role[]
  readonly rows: readonly MatrixRow[]
  readonly edited: EditedPermissions
  readonly isFixed: boolean
  readonly onToggle: (role: number, permission: number) => void
}

const VERBS = ['read', 'modify'] as const

function Grid({ roles, rows, edited, isFixed, onToggle }: GridProps) {
  return (
    <Paper withBorder>
      <Table.ScrollContainer minWidth={200 + roles.length * 130} maxHeight="calc(100vh - 180px)" type="native">
        <Table
          aria-label="Permissions of roles"
          stickyHeader
          className={classes.grid ?? ''}
          verticalSpacing={3}
          onKeyDown={moveFocus}
        >
          <Table.Thead>
            <Table.Tr>
              <Table.Th rowSpan={2} className={classes.object ?? ''}>
                Object
              </Table.Th>
              {roles.map(({ id, name }) => (
                <Table.Th key={id} colSpan={2} scope="colgroup" className={classes.role ?? ''}>
                  <Text component={Link} to={`/admin/roles/${id}`} inherit c="inherit">
                    {name}
                  </Text>
                </Table.Th>
              ))}
            </Table.Tr>
            <Table.Tr>
              {roles.flatMap(({ id }) =>
                VERBS.map((verb) => (
                  <Table.Th key={`${id} ${verb}`} className={classes.cell ?? ''}>
                    {verb === 'read' ? 'Read' : 'Modify'}
                  </Table.Th>
                )),
              )}
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {rows.map((row, line) => (
              <Table.Tr key={row.label}>
                <Table.Th scope="row" className={classes.object ?? ''}>
                  {row.label}
                </Table.Th>
                {roles.flatMap((role, column) =>
                  VERBS.map((verb, side) => {
                    const permission = row[verb]
                    return (
                      <Table.Td key={`${role.id} ${verb}`} className={classes.cell ?? ''}>
                        {permission && (
                          <input
                            type="checkbox"
                            data-line={line}
                            data-column={column * 2 + side}
                            aria-label={`${role.name}: ${permission.name}`}
                            checked={edited.get(role.id)?.has(permission.id) ?? false}
                            disabled={isFixed || (role.is_system && role.name === ADMIN_ROLE)}
                            onChange={() => onToggle(role.id, permission.id)}
                          />
                        )}
                      </Table.Td>
                    )
                  }),
                )}
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
    </Paper>
  )
}

const STEPS: Readonly<Record<string, readonly [number, number]>> = {
  ArrowUp: [-1, 0],
  ArrowDown: [1, 0],
  ArrowLeft: [0, -1],
  ArrowRight: [0, 1],
}

/** The maximum number of cells without a checkbox that an arrow key skips. */
const MAX_SKIPPED_CELLS = 80

/** Arrow keys move between checkboxes and skip cells without one. */
function moveFocus(event: KeyboardEvent<HTMLElement>): void {
  const step = STEPS[event.key]
  const from = event.target
  if (!step || !(from instanceof HTMLInputElement)) return
  let [line, column] = [Number(from.dataset.line), Number(from.dataset.column)]
  for (let tried = 0; tried < MAX_SKIPPED_CELLS; tried += 1) {
    line += step[0]
    column += step[1]
    const next = event.currentTarget.querySelector<HTMLInputElement>(
      `input[data-line="${line}"][data-column="${column}"]:not(:disabled)`,
    )
    if (!next) continue
    event.preventDefault()
    next.focus()
    return
  }
}
