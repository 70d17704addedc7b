import type { SetValue } from '../../../forms/use-draft.ts'
import type { EntityDraft } from '../entity-draft.ts'
import { RelatedEntities } from './found-entities.tsx'
import { FoundInText } from './found-in-text.tsx'
import { nodesIn, textOf, withNodes } from './text-analysis.ts'

interface FoundInFormProps {
  readonly draft: EntityDraft
  readonly set: SetValue
  /** The id of the entity that is edited. */
  readonly own?: string | undefined
}

/** What the title and description in the form of an entity contain. Accepting adds it to the form. */
export function FoundInForm({ draft, set, own }: FoundInFormProps) {
  const { data, meta, observables, related = [] } = draft
  const nodes = nodesIn(meta)
  return (
    <FoundInText
      text={textOf(data)}
      has={{ observables, related: related.map(({ id }) => id), nodes }}
      own={own}
      onObservables={(added) =>
        set(['observables'], [...observables.filter(({ value }) => value.trim() !== ''), ...added])
      }
      onRelate={(entity) => set(['related'], [...related, entity])}
      onClassify={(technique) => set(['meta', 'attacks'], withNodes(nodes, technique))}
      pending={
        <RelatedEntities
          related={related}
          onRemove={(removed) =>
            set(
              ['related'],
              related.filter(({ id }) => id !== removed),
            )
          }
        />
      }
    />
  )
}
