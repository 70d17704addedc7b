import { Text } from '@mantine/core'
import type { HistoryEvent } from '../api/resources.ts'
import { useMay } from '../api/session.ts'
import { PageLink } from '../ui/page-link.tsx'
import { causeInWords } from './cause-in-words.ts'

/** The automation that made a change, with a link to it. */
export function CausedBy({ cause }: { readonly cause: HistoryEvent['cause'] }) {
  const may = useMay()
  const words = causeInWords(cause)
  if (!words) return null
  const { text, to, permission } = words
  return (
    <Text size="xs" c="dimmed">
      {to !== undefined && may(permission) ? (
        <PageLink to={to} size="xs">
          {text}
        </PageLink>
      ) : (
        text
      )}
    </Text>
  )
}
