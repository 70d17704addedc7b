import { Alert, Text } from '@mantine/core'
import { defangText } from '../domain/defang-text.ts'
import type { UnverifiedValue } from './made.ts'

interface ValueWarningProps {
  readonly values: readonly Pick<UnverifiedValue, 'value'>[]
  readonly title?: string
}

/** Values of a generated text that a reader has to check; nothing if there are none. */
export function ValueWarning({ values, title = 'Values that are in none of the sources' }: ValueWarningProps) {
  if (values.length === 0) return null
  const shown = [...new Set(values.map(({ value }) => defangText(value)))]
  return (
    <Alert color="yellow" variant="light" p="xs" title={title}>
      <Text size="xs" className="code">
        {shown.join(', ')}
      </Text>
    </Alert>
  )
}
