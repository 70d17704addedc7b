import { Alert, Anchor, Button, Group, Stack, Text } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { invalidate } from '../../api/invalidate.ts'
import { useMay } from '../../api/session.ts'
import { ErrorFaults } from '../../ui/faults.tsx'
import { acceptTerms, type Detonator, withdrawConsent } from './detonator-queries.ts'

interface ConsentProps {
  readonly detonator: Detonator
  /** Called once the terms are accepted. */
  readonly onAccepted?: () => void
}

/** The terms of a detonator: who receives samples and who can see them there. The user accepts them, or withdraws. */
export function Consent({ detonator, onAccepted }: ConsentProps) {
  const may = useMay()
  const { id, is_consented, terms, task_name } = detonator
  const given = useMutation({
    mutationFn: () => acceptTerms(detonator),
    onSuccess: async () => {
      await invalidate('detonators')
      onAccepted?.()
    },
  })
  const withdrawn = useMutation({
    mutationFn: () => withdrawConsent(id),
    onSuccess: () => invalidate('detonators', 'detonations'),
  })
  return (
    <Stack gap="sm">
      {(terms ?? []).map((each) => (
        <div key={each.id}>
          <Text size="sm" fw={600}>
            {each.title}
          </Text>
          <Text size="sm">{each.text}</Text>
          {each.url !== null && <VendorTerms url={each.url} />}
        </div>
      ))}
      <ErrorFaults error={given.error ?? withdrawn.error} />
      {may('modify detonations') && (
        <Group gap="sm">
          {is_consented ? (
            <>
              <Text size="sm" c="var(--mantine-color-green-text)" fw={600}>
                You have accepted these terms.
              </Text>
              <Button
                size="compact-sm"
                variant="default"
                loading={withdrawn.isPending}
                onClick={() => withdrawn.mutate()}
                aria-label={`Withdraw consent to ${task_name}`}
              >
                Withdraw consent
              </Button>
            </>
          ) : (
            <Button
              size="compact-sm"
              loading={given.isPending}
              onClick={() => given.mutate()}
              aria-label={`Accept terms of ${task_name}`}
            >
              Accept terms
            </Button>
          )}
        </Group>
      )}
    </Stack>
  )
}

function VendorTerms({ url }: { readonly url: string }) {
  return (
    <Anchor size="sm" href={url} target="_blank" rel="noopener noreferrer">
      Terms on {new URL(url).hostname} ↗
    </Anchor>
  )
}

/** The terms that a user has to accept before they choose a detonator. */
export const ConsentRequired = (props: ConsentProps) => (
  <Alert color="yellow" variant="light" title={`Accept the terms of ${props.detonator.task_name} first`}>
    <Consent {...props} />
  </Alert>
)
