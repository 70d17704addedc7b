import { Progress, Text } from '@mantine/core'
import type { Detonator } from './detonator-queries.ts'
import { countInWords, isAtLimit } from './detonator-words.ts'

/** The submissions of today against the limit. */
export function DayCount({ detonator }: { readonly detonator: Detonator }) {
  const { detonation_per_day_limit: limit, today_detonation_count: count } = detonator
  const words = countInWords(detonator)
  return (
    <div style={{ minWidth: 110 }}>
      <Text size="sm">{words}</Text>
      {limit !== null && (
        <Progress
          size={4}
          value={limit === 0 ? 100 : Math.min(100, (count / limit) * 100)}
          color={isAtLimit(detonator) ? 'orange' : 'blue'}
          aria-label={`${words} submissions today`}
        />
      )}
    </div>
  )
}
