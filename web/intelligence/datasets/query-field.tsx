import { Group, Loader, Stack, Text, Textarea } from '@mantine/core'
import { refangQuery } from '../../../server/domain/typed-query.ts'
import { queryFault } from '../../api/query-fault.ts'
import { ErrorFaults } from '../../ui/faults.tsx'
import { useLiveCount } from './live-count.ts'

interface QueryFieldProps {
  readonly label: string
  readonly description?: string
  readonly value: string
  readonly onChange: (value: string) => void
  /** The server's validation error, after the form was submitted. */
  readonly error?: string | undefined
  readonly required?: boolean
}

/** A search query: while typing, it shows the number of matching entities or the column of the syntax error. */
export function QueryField({ value, onChange, error, ...rest }: QueryFieldProps) {
  const count = useLiveCount({ query: value })
  const fault = value.trim() === '' ? undefined : queryFault(count.error, value.length)
  return (
    <Stack gap={4}>
      <Textarea
        {...rest}
        value={value}
        onChange={({ currentTarget }) => onChange(currentTarget.value)}
        onBlur={() => onChange(refangQuery(value))}
        error={fault ? <FaultAt query={value} message={fault.message} column={fault.column} /> : error}
        autosize
        minRows={2}
        maxRows={8}
        spellCheck={false}
        styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
      />
      {value.trim() !== '' && !fault && <CountLine count={count} />}
    </Stack>
  )
}

/** The number of matching entities. */
export function CountLine({ count }: { readonly count: ReturnType<typeof useLiveCount> }) {
  if (count.error) return <ErrorFaults error={count.error} />
  return (
    <Group gap={6} role="status" mih={20}>
      {count.data !== undefined && (
        <Text size="sm" fw={600} c={count.isBehind ? 'dimmed' : 'var(--mantine-color-text)'}>
          {count.data.toLocaleString('en')} {count.data === 1 ? 'matching entity' : 'matching entities'}
        </Text>
      )}
      {count.isBehind && <Loader size={12} aria-label="Counting" />}
    </Group>
  )
}

const CONTEXT_LENGTH = 30

interface FaultAtProps {
  readonly query: string
  readonly message: string
  readonly column: number
}

/** A syntax error, with a marker below the position in the query. */
function FaultAt({ query, message, column }: FaultAtProps) {
  const from = Math.max(0, column - CONTEXT_LENGTH)
  const excerpt = query.slice(from, column + CONTEXT_LENGTH).replaceAll(/\s/g, ' ')
  return (
    <>
      <span style={{ display: 'block', whiteSpace: 'pre', overflow: 'hidden' }} className="code" aria-hidden="true">
        {`${excerpt}\n${' '.repeat(column - from)}^`}
      </span>
      <span>
        Column {column + 1}: {message}
      </span>
    </>
  )
}
