import { Text } from '@mantine/core'
import { idOf } from '../../../api/lists.ts'
import type { PlaybookRun } from '../../../api/resources.ts'
import { defangText } from '../../../domain/defang-text.ts'
import { PageLink } from '../../../ui/page-link.tsx'
import { OBJECTS } from '../playbook.ts'

type OfObject = Pick<PlaybookRun, 'collection' | 'entity' | 'observable' | 'file' | 'object_title'>

/** The object of a run, with a link to its page. */
export function RunObject({ run: { collection, entity, observable, file, object_title } }: { readonly run: OfObject }) {
  const url = entity ?? observable ?? file
  const { one } = OBJECTS[collection]
  if (url === null || object_title === null)
    return (
      <Text size="sm" c="dimmed" component="span">
        Deleted {one}
      </Text>
    )
  return <PageLink to={`/${collection}/${idOf(url)}`}>{defangText(object_title) || `Untitled ${one}`}</PageLink>
}
