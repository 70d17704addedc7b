import { Alert, Button, Group, Text } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useMay } from '../../api/session.ts'
import { ConfirmButton } from '../../ui/confirm-button.tsx'
import { ErrorFaults } from '../../ui/faults.tsx'
import { consentQuery, setConsent } from './records.ts'

/** Whether providers may be used at all. Only an administrator can allow it. */
export function Consent() {
  const may = useMay()
  const consent = useQuery(consentQuery)
  const changed = useMutation({ mutationFn: setConsent })
  if (consent.error) return <ErrorFaults error={consent.error} />
  if (consent.data === undefined) return null
  const mayChange = may('modify configurations')
  if (consent.data)
    return (
      <Group justify="space-between" mb="md">
        <Text size="sm" flex="1 1 20rem">
          Providers are allowed: text that users choose is sent to them, up to the TLP colour of each provider. A
          provider with an embedding model also receives titles and descriptions for the index of the assistant.
        </Text>
        {mayChange && (
          <ConfirmButton
            label="Stop using providers"
            title="Stop using providers?"
            confirm="Stop using providers"
            button={{ variant: 'default', size: 'compact-sm', color: 'gray' }}
            onConfirm={() => setConsent(false)}
          >
            All features of language models are switched off for all users. Providers and features keep their settings.
          </ConfirmButton>
        )}
      </Group>
    )
  return (
    <Alert color="yellow" mb="md" title="Providers are not allowed yet" role="region" aria-label="Consent">
      <Text size="sm">
        Nothing is sent to any provider. If you allow it, Corvus sends text that users choose, such as a report to
        summarise, to the providers below. A provider with an embedding model also receives titles and descriptions for
        the index of the assistant. Each provider receives nothing above its TLP colour.
      </Text>
      <ErrorFaults error={changed.error} />
      {mayChange && (
        <Button mt="sm" size="compact-sm" loading={changed.isPending} onClick={() => changed.mutate(true)}>
          Allow providers
        </Button>
      )}
    </Alert>
  )
}
