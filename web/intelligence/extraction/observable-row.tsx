import { Badge, Group, Text } from '@mantine/core'
import { defang, observableTypeName } from '../../domain/observables.ts'
import { Indicator } from '../../ui/indicator.tsx'
import { PlainText } from '../../ui/plain-text.tsx'
import { type ExtractedObservable, observableKey, plain } from './extraction.ts'
import { type Deciding, ReviewRow } from './review-row.tsx'

interface ObservableRowProps extends Deciding {
  readonly observable: ExtractedObservable
}

const COLORS = { malicious: 'red', benign: 'green', unknown: 'gray' } as const

/** An observable that the text contains, with what the model says about it. */
export function ObservableRow({ observable, ...deciding }: ObservableRowProps) {
  const { type, value, quote, label, use, is_excluded } = observable
  return (
    <ReviewRow id={observableKey(observable)} name={`${observableTypeName(type)} ${defang(type, value)}`} {...deciding}>
      <Group gap="xs">
        <Text size="xs" c="dimmed">
          {observableTypeName(type)}
        </Text>
        <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
          <Indicator type={type} value={value} canCopy={false} />
        </Text>
        {label !== 'unknown' && (
          <Badge size="sm" variant="light" color={COLORS[label]} radius="xs" tt="none">
            Model: {label}
            {use !== null && `, ${use}`}
          </Badge>
        )}
        {is_excluded && (
          <Text size="xs" c="dimmed">
            On an exclusion list
          </Text>
        )}
      </Group>
      <Text size="xs" c="dimmed" lineClamp={2}>
        <PlainText text={plain(quote).trim()} />
      </Text>
    </ReviewRow>
  )
}
