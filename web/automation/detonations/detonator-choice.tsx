import { Badge, Checkbox, Group, Paper, Stack, Text } from '@mantine/core'
import { defangText } from '../../domain/defang-text.ts'
import { TlpBadge } from '../../ui/badges.tsx'
import { PageLink } from '../../ui/page-link.tsx'
import { ConsentRequired } from '../detonators/consent.tsx'
import type { Detonator } from '../detonators/detonator-queries.ts'
import { countInWords } from '../detonators/detonator-words.ts'
import { blockedBy, delayedBy } from './sample.ts'

interface DetonatorChoiceProps {
  readonly detonators: readonly Detonator[]
  /** What is submitted; undefined if it may be both. */
  readonly kind?: 'file' | 'url'
  /** The colour of the sample, as far as it is known. */
  readonly tlp: string | null
  readonly chosen: ReadonlySet<number>
  readonly onChoose: (chosen: ReadonlySet<number>) => void
}

/** The detonators that can receive a sample, with their terms where consent is missing, and the others with the reason. */
export function DetonatorChoice({ detonators, kind, tlp, chosen, onChoose }: DetonatorChoiceProps) {
  const set = (id: number, isChosen: boolean) => {
    const next = new Set(chosen)
    if (isChosen) next.add(id)
    else next.delete(id)
    onChoose(next)
  }
  const rows = detonators.map((detonator) => ({ detonator, reason: blockedBy(detonator, kind, tlp) }))
  const byUse = [...rows.filter(({ reason }) => !reason), ...rows.filter(({ reason }) => reason)]
  return (
    <Stack gap="xs" role="group" aria-label="Detonators">
      <Text size="sm" fw={600}>
        Detonators
      </Text>
      {byUse.map(({ detonator, reason }) => (
        <Row
          key={detonator.id}
          detonator={detonator}
          reason={reason}
          isChosen={chosen.has(detonator.id) && !reason && detonator.is_consented}
          onSet={(isChosen) => set(detonator.id, isChosen)}
        />
      ))}
    </Stack>
  )
}

interface RowProps {
  readonly detonator: Detonator
  /** Why it cannot be chosen. */
  readonly reason: string | undefined
  readonly isChosen: boolean
  readonly onSet: (isChosen: boolean) => void
}

function Row({ detonator, reason, isChosen, onSet }: RowProps) {
  const { id, task_name, max_tlp, is_consented } = detonator
  const delay = reason ? undefined : delayedBy(detonator)
  return (
    <Paper withBorder p="sm">
      <Group justify="space-between" align="flex-start" gap="xs">
        <Checkbox
          label={task_name}
          description={reason ?? receiverOf(detonator)}
          disabled={reason !== undefined || !is_consented}
          checked={isChosen}
          onChange={({ currentTarget }) => onSet(currentTarget.checked)}
          style={{ flex: '1 1 14rem' }}
          styles={{ label: { color: 'var(--mantine-color-text)' } }}
        />
        <Group gap="xs">
          {reason === undefined && (
            <Text size="xs" c="dimmed">
              Today: {countInWords(detonator)}
            </Text>
          )}
          <Text size="xs" c="dimmed">
            At most
          </Text>
          {max_tlp ? (
            <TlpBadge tlp={max_tlp} />
          ) : (
            <Badge variant="default" radius="xs">
              Any TLP
            </Badge>
          )}
          <PageLink to={`/detonators/${id}`} size="xs" aria-label={`Open ${task_name}`}>
            Open
          </PageLink>
        </Group>
      </Group>
      {delay && (
        <Text size="xs" mt={4}>
          {defangText(delay)}
        </Text>
      )}
      {reason === undefined && !is_consented && (
        <div style={{ marginTop: 'var(--mantine-spacing-xs)' }}>
          <ConsentRequired detonator={detonator} onAccepted={() => onSet(true)} />
        </div>
      )}
    </Paper>
  )
}

/** Who receives samples. */
function receiverOf({ parameters, terms }: Detonator): string {
  const address = typeof parameters.url === 'string' && URL.canParse(parameters.url) ? new URL(parameters.url).host : ''
  const titles = (terms ?? []).map(({ title }) => title).join('; ')
  return [address && `Sends to ${address}.`, titles && `${titles}.`].filter(Boolean).join(' ')
}
