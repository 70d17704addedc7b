import { Alert, Button, Group, Table, Text } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { methodsQuery } from '../../api/session.ts'
import { Card } from '../../ui/card.tsx'
import { ConfirmButton } from '../../ui/confirm-button.tsx'
import { ErrorFaults } from '../../ui/faults.tsx'
import { Moment } from '../../ui/moment.tsx'
import { providerFault } from '../sign-in/provider-faults.ts'
import { identitiesQuery, linkIdentity, unlinkIdentity } from './account.ts'

/** The user's accounts at identity providers, if the installation has any. */
export function Identities() {
  const queries = useQueryClient()
  const { data: methods } = useQuery(methodsQuery)
  const identities = useQuery(identitiesQuery)
  const linked = useMutation({
    mutationFn: linkIdentity,
    onSuccess: ({ url }) => window.location.assign(url),
  })
  const providers = methods?.identity_providers ?? []
  const fault = providerFault(window.location.search)
  if (providers.length === 0 && !identities.data?.length) return null
  return (
    <Card title="Single sign-on" description="Sign in without a password, using a linked account.">
      {fault && <Alert color="red">{fault}</Alert>}
      <ErrorFaults error={identities.error ?? linked.error} />
      {identities.data?.length === 0 && <Text size="sm">No linked accounts.</Text>}
      {identities.data && identities.data.length > 0 && (
        <Table>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>Provider</Table.Th>
              <Table.Th>Account</Table.Th>
              <Table.Th>Linked</Table.Th>
              <Table.Th aria-label="Actions" />
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {identities.data.map(({ id, issuer, subject, created_at }) => (
              <Table.Tr key={id}>
                <Table.Td className="code">{issuer}</Table.Td>
                <Table.Td className="code">{subject}</Table.Td>
                <Table.Td>
                  <Moment at={created_at} />
                </Table.Td>
                <Table.Td ta="end">
                  <ConfirmButton
                    label="Unlink account"
                    title="Unlink this account?"
                    confirm="Unlink account"
                    button={{ size: 'compact-sm', variant: 'subtle' }}
                    onConfirm={() =>
                      unlinkIdentity(id).then(() => queries.invalidateQueries({ queryKey: identitiesQuery.queryKey }))
                    }
                  >
                    Sessions started with this account end. You can link it again later.
                  </ConfirmButton>
                </Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      )}
      <Group>
        {providers.map(({ identity_provider, name }) => (
          <Button
            key={identity_provider}
            variant="default"
            loading={linked.isPending && linked.variables === identity_provider}
            onClick={() => linked.mutate(identity_provider)}
          >
            Link {name} account
          </Button>
        ))}
      </Group>
    </Card>
  )
}
