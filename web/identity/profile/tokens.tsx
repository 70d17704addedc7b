import { ActionIcon, Button, Group, Modal, Select, Skeleton, Stack, Table, Text, TextInput } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { Card } from '../../ui/card.tsx'
import { CopyText } from '../../ui/copy-text.tsx'
import { ErrorFaults, Faults } from '../../ui/faults.tsx'
import { Icon } from '../../ui/icon.tsx'
import { Moment } from '../../ui/moment.tsx'
import { showToast } from '../../ui/toasts.tsx'
import { useForm } from '../../ui/use-form.ts'
import { createToken, revokeToken, type Token, tokensQuery } from './account.ts'

const DAY_MS = 86_400_000

const LIFETIMES = [
  { value: '30', label: '30 days' },
  { value: '90', label: '90 days' },
  { value: '365', label: '1 year' },
  { value: '', label: 'Never' },
]

/** The user's API tokens. */
export function Tokens() {
  const tokens = useQuery(tokensQuery)
  const [isCreating, setIsCreating] = useState(false)
  return (
    <Card
      title="API tokens"
      description={
        <>
          Integrations and scripts send a token as <span className="code">Authorization: Bearer …</span>. It has all
          your permissions.
        </>
      }
      actions={<Button onClick={() => setIsCreating(true)}>Create token</Button>}
    >
      <ErrorFaults error={tokens.error} />
      {tokens.isPending && <Skeleton h={60} />}
      {tokens.data?.length === 0 && <Text size="sm">No API tokens yet. Create one for each integration.</Text>}
      {tokens.data && tokens.data.length > 0 && <TokenTable tokens={tokens.data} />}
      <Modal opened={isCreating} onClose={() => setIsCreating(false)} title="New token">
        <TokenForm onClose={() => setIsCreating(false)} />
      </Modal>
    </Card>
  )
}

function TokenTable({ tokens }: { readonly tokens: readonly Token[] }) {
  return (
    <Table.ScrollContainer minWidth={500}>
      <Table>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Name</Table.Th>
            <Table.Th>Created</Table.Th>
            <Table.Th>Last used</Table.Th>
            <Table.Th>Expires</Table.Th>
            <Table.Th aria-label="Actions" />
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {tokens.map((token) => (
            <Table.Tr key={token.id}>
              <Table.Td>{token.name}</Table.Td>
              <Table.Td>
                <Moment at={token.created_at} />
              </Table.Td>
              <Table.Td>
                <Moment at={token.last_used_at} otherwise="Never" />
              </Table.Td>
              <Table.Td>
                <Moment at={token.expires_at} otherwise="Never" />
              </Table.Td>
              <Table.Td>
                <Revoke token={token} />
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  )
}

function Revoke({ token }: { readonly token: Token }) {
  const [isAsked, setIsAsked] = useState(false)
  const queries = useQueryClient()
  const revoked = useMutation({
    mutationFn: () => revokeToken(token.id),
    onSuccess: () => {
      showToast(`Token “${token.name}” revoked`)
      return queries.invalidateQueries({ queryKey: tokensQuery.queryKey })
    },
  })
  return (
    <>
      <ActionIcon variant="subtle" color="red" aria-label={`Revoke ${token.name}`} onClick={() => setIsAsked(true)}>
        <Icon name="close" />
      </ActionIcon>
      <Modal opened={isAsked} onClose={() => setIsAsked(false)} title={`Revoke “${token.name}”?`}>
        <Stack>
          <Text>Integrations that use this token lose access immediately. This cannot be undone.</Text>
          <ErrorFaults error={revoked.error} />
          <Group justify="flex-end">
            <Button variant="default" onClick={() => setIsAsked(false)}>
              Cancel
            </Button>
            <Button color="red" loading={revoked.isPending} onClick={() => revoked.mutate()}>
              Revoke token
            </Button>
          </Group>
        </Stack>
      </Modal>
    </>
  )
}

function TokenForm({ onClose }: { readonly onClose: () => void }) {
  const [days, setDays] = useState('90')
  const queries = useQueryClient()
  const form = useForm(
    { name: '' },
    ({ name }) =>
      createToken({
        name,
        expires_at: days === '' ? null : new Date(Date.now() + Number(days) * DAY_MS).toISOString(),
      }),
    () => void queries.invalidateQueries({ queryKey: tokensQuery.queryKey }),
  )
  const made = form.mutation.data
  if (made)
    return (
      <Stack>
        <Text>Copy the token now. It will not be shown again.</Text>
        <CopyText label="Token" text={made.token} />
        <Button onClick={onClose}>Done</Button>
      </Stack>
    )
  return (
    <form onSubmit={form.onSubmit}>
      <Stack>
        <Faults texts={form.faults.others} />
        <TextInput label="Name" placeholder="Splunk" required data-autofocus {...form.field('name')} />
        <Select
          label="Expires after"
          data={LIFETIMES}
          value={days}
          onChange={(value) => setDays(value ?? '')}
          allowDeselect={false}
        />
        <Button type="submit" loading={form.isSending}>
          Create token
        </Button>
      </Stack>
    </form>
  )
}
