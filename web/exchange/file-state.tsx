import { Badge, Group } from '@mantine/core'
import type { File as StoredFile } from '../api/resources.ts'
import { RunStateBadge } from '../background/run-state.tsx'
import { lostIn } from './file-facts.ts'

/** States of a run that has not ended. */
export const OPEN: readonly string[] = ['PENDING', 'SENT', 'STARTED', 'RETRY']

/** Whether a file is queued or being processed. */
export const isBusy = ({ status }: Pick<StoredFile, 'status'>): boolean => OPEN.includes(status)

/** The processing state of a file, as text and colour. */
export function FileState({ file }: { readonly file: Pick<StoredFile, 'status' | 'result'> }) {
  const lost = lostIn(file.result)
  // A file that is only stored has no run, and so no state.
  if (!file.status)
    return (
      <Badge variant="default" radius="xs">
        Stored only
      </Badge>
    )
  return (
    <Group gap={6}>
      <RunStateBadge state={file.status} />
      {lost > 0 && (
        <span>
          {lost.toLocaleString('en')} {lost === 1 ? 'loss' : 'losses'}
        </span>
      )}
    </Group>
  )
}
