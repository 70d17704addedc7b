import { Badge, Button, Group, Menu, Modal, Stack, Text } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { call } from '../../api/call.ts'
import { useMay } from '../../api/session.ts'
import type { CollectionModel } from '../../generic/collections.ts'
import type { Row } from '../../generic/list-table.tsx'
import { ObjectPage } from '../../generic/object-page.tsx'
import { CopyText } from '../../ui/copy-text.tsx'
import { ErrorFaults } from '../../ui/faults.tsx'
import { showErrorToast, showToast } from '../../ui/toasts.tsx'

/** A user, with actions for administrators such as unlocking and password reset. */
export const UserPage = ({ model, id }: { readonly model: CollectionModel; readonly id: string }) => (
  <ObjectPage
    model={model}
    id={id}
    badges={(user) => <UserBadges user={user} />}
    actions={(user) => <UserActions user={user} />}
  />
)

function UserBadges({ user }: { readonly user: Row }) {
  return (
    <Group gap={6}>
      {user.is_admin === true && <Badge radius="xs">Administrator</Badge>}
      {user.is_active === false && (
        <Badge radius="xs" color="gray" variant="light">
          Inactive
        </Badge>
      )}
      {user.is_locked === true && (
        <Badge radius="xs" color="red" variant="light">
          Locked
        </Badge>
      )}
    </Group>
  )
}

function UserActions({ user }: { readonly user: Row }) {
  const may = useMay()
  const queries = useQueryClient()
  const [isResetting, setIsResetting] = useState(false)
  const invalidate = () =>
    queries.invalidateQueries({ predicate: ({ queryKey }) => String(queryKey[0]).startsWith('users') })
  const patch = (data: object) => call('PATCH', `users/${user.id}`, { data })
  const set = (name: 'is_locked' | 'is_active', value: boolean, message: string) =>
    patch({ [name]: value }).then(() => {
      showToast(message, () => patch({ [name]: !value }).then(invalidate))
      return invalidate()
    }, showErrorToast)
  const remove = (path: string, message: string) =>
    call('DELETE', `users/${user.id}/${path}`).then(() => {
      showToast(message)
      return invalidate()
    }, showErrorToast)
  const name = String(user.username)
  if (!may('modify users')) return null
  return (
    <>
      {may('lock/unlock users') && (
        <Button
          size="xs"
          variant="default"
          onClick={() => void set('is_locked', !user.is_locked, user.is_locked ? `${name} unlocked` : `${name} locked`)}
        >
          {user.is_locked ? 'Unlock' : 'Lock'}
        </Button>
      )}
      <Button size="xs" variant="default" onClick={() => setIsResetting(true)}>
        Reset password
      </Button>
      <Menu position="bottom-end">
        <Menu.Target>
          <Button size="xs" variant="default">
            More
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item
            onClick={() =>
              void set('is_active', !user.is_active, user.is_active ? `${name} deactivated` : `${name} activated`)
            }
          >
            {user.is_active ? 'Deactivate' : 'Activate'}
          </Menu.Item>
          <Menu.Item onClick={() => void remove('sessions', `All sessions of ${name} ended`)}>
            End all sessions
          </Menu.Item>
          {user.two_factor_enabled === true && (
            <Menu.Item
              color="red"
              onClick={() => void remove('two-factor', `Two-factor authentication of ${name} disabled`)}
            >
              Disable two-factor authentication
            </Menu.Item>
          )}
        </Menu.Dropdown>
      </Menu>
      <Modal opened={isResetting} onClose={() => setIsResetting(false)} title={`Reset the password of ${name}`}>
        <PasswordReset user={user} onClose={() => setIsResetting(false)} />
      </Modal>
    </>
  )
}

interface Reset {
  readonly url: string | null
  readonly expires_at: string
}

function PasswordReset({ user, onClose }: { readonly user: Row; readonly onClose: () => void }) {
  const reset = useMutation({
    mutationFn: async (send: boolean) =>
      (await call<{ data: Reset }>('POST', `users/${user.id}/password-reset`, { data: { send } })).data,
  })
  if (reset.data)
    return (
      <Stack>
        {reset.data.url ? (
          <>
            <Text>Give this link to the user. It works once and will not be shown again.</Text>
            <CopyText label="Link" text={reset.data.url} />
          </>
        ) : (
          <Text>The link has been sent to {String(user.email)}.</Text>
        )}
        <Button onClick={onClose}>Done</Button>
      </Stack>
    )
  return (
    <Stack>
      <Text>The user gets a link to set a new password. The current password works until then.</Text>
      <ErrorFaults error={reset.error} />
      <Group justify="flex-end">
        <Button variant="default" loading={reset.isPending} onClick={() => reset.mutate(true)} disabled={!user.email}>
          Send link by email
        </Button>
        <Button loading={reset.isPending} onClick={() => reset.mutate(false)} data-autofocus>
          Show link
        </Button>
      </Group>
    </Stack>
  )
}
