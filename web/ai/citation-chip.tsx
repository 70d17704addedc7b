import { Stack, Text, Tooltip } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { idOf } from '../api/lists.ts'
import { defangText } from '../domain/defang-text.ts'
import classes from './ai-text.module.css'
import type { Citation } from './made.ts'

/** The number of a source, with its title and the quote on hover and focus. It links to the entity. */
export function CitationChip({ citation }: { readonly citation: Citation }) {
  const { n, entity, title, quote } = citation
  return (
    <Tooltip
      multiline
      w={320}
      withinPortal
      openDelay={100}
      events={{ hover: true, focus: true, touch: true }}
      label={
        <Stack gap={4}>
          <Text size="xs" fw={600}>
            {defangText(title)}
          </Text>
          <Text size="xs" style={{ overflowWrap: 'anywhere' }}>
            “{defangText(quote)}”
          </Text>
        </Stack>
      }
    >
      <Link
        className={classes.citation}
        to="/entities/$id"
        params={{ id: idOf(entity) }}
        aria-label={`Source ${n}: ${defangText(title)}`}
      >
        {n}
      </Link>
    </Tooltip>
  )
}
