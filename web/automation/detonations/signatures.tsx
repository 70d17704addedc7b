import { Badge, Group, Stack, Text } from '@mantine/core'
import { useFirstRows } from '../../attack/show-more.tsx'
import { defangText } from '../../domain/defang-text.ts'
import type { Detonation } from './detonation-queries.ts'
import { Techniques } from './techniques.tsx'

type Signature = Detonation['signatures'][number]

/** The most severe ones: techniques and screenshots below them should be in reach. */
const FIRST = 15

/** How severe a signature is, in words: from 0, information, to 10, certainly malicious. */
function severityOf({ severity }: Signature): { readonly label: string; readonly color: string } {
  if (severity === null) return { label: 'Not rated', color: 'gray' }
  if (severity >= 7) return { label: 'High', color: 'red' }
  if (severity >= 4) return { label: 'Medium', color: 'orange' }
  return severity >= 1 ? { label: 'Low', color: 'yellow' } : { label: 'Information', color: 'gray' }
}

interface SignaturesProps extends Pick<Detonation, 'signatures'> {
  /** The ids of all techniques of the report. */
  readonly all: readonly string[]
}

/** What the sandbox recognised in the behaviour of the sample, the most severe first. */
export function Signatures({ signatures, all }: SignaturesProps) {
  const { shown, more } = useFirstRows(
    signatures.toSorted((a, b) => (b.severity ?? 0) - (a.severity ?? 0)),
    FIRST,
  )
  if (signatures.length === 0)
    return (
      <Text size="sm" c="dimmed">
        The report names no signatures.
      </Text>
    )
  return (
    <Stack gap="sm">
      {shown.map((signature, i) => {
        const { label, color } = severityOf(signature)
        return (
          <div key={[String(i), signature.name].join(' ')}>
            <Group gap="xs" align="baseline">
              <Badge variant="light" radius="xs" color={color} flex="none">
                {label}
              </Badge>
              <Text size="sm" fw={500} style={{ overflowWrap: 'anywhere' }}>
                {defangText(signature.description ?? signature.name)}
              </Text>
              {signature.description !== null && (
                <Text size="xs" c="dimmed" className="code" style={{ overflowWrap: 'anywhere' }}>
                  {defangText(signature.name)}
                </Text>
              )}
            </Group>
            <Techniques ids={signature.techniques} all={all} />
          </div>
        )
      })}
      {more}
    </Stack>
  )
}
