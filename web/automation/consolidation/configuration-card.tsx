import { Button, Text } from '@mantine/core'
import { nameOf, useNames } from '../../api/names.ts'
import { entityTypeName } from '../../domain/entity-types.ts'
import { Card } from '../../ui/card.tsx'
import { ConfirmButton } from '../../ui/confirm-button.tsx'
import { Facts } from '../../ui/facts.tsx'
import { showToast } from '../../ui/toasts.tsx'
import { renewRules } from '../rule-actions.ts'
import { type Configuration, POLICIES, type Policy } from './policy.ts'
import {
  type Choice,
  choiceOf,
  HALF_LIFE_CHOICES,
  preferenceInWords,
  TLP_CHOICES,
  typesInWords,
} from './policy-words.ts'
import { deleteConfiguration } from './write-configurations.ts'

interface ConfigurationCardProps {
  readonly policy: Policy
  readonly configuration: Configuration
  readonly title: string
  /** Opens the form; absent if it may not be changed. */
  readonly onEdit: (() => void) | undefined
}

/** A configuration in words: what is compared, and how unified entities are composed. */
export function ConfigurationCard({ policy, configuration, title, onEdit }: ConfigurationCardProps) {
  const names = useNames('sources')
  const { entity_types, sources, preferred_source, half_life_choice, tlp_choice } = configuration
  const preferred = preferred_source === null ? undefined : nameOf(names, preferred_source)
  return (
    <Card
      title={title}
      actions={
        onEdit && (
          <>
            <Button variant="default" size="compact-sm" onClick={onEdit} aria-label={`Edit ${title.toLowerCase()}`}>
              Edit
            </Button>
            <ConfirmButton
              label="Delete"
              title={`Delete ${title.toLowerCase()}?`}
              confirm="Delete configuration"
              button={{ size: 'compact-sm', 'aria-label': `Delete ${title.toLowerCase()}` }}
              onConfirm={async () => {
                await deleteConfiguration(policy.id, configuration.id)
                showToast('Configuration deleted. Existing entities are being compared again.')
                await renewRules(POLICIES)
              }}
            >
              Unified entities to which no other configuration applies are removed: {typesInWords([configuration])}.
              Their contributors stay as they are.
            </ConfirmButton>
          </>
        )
      }
    >
      <Facts
        columns={2}
        facts={[
          ['Entity types', entity_types.map(entityTypeName).join(', ')],
          ['Sources', sources.length === 0 ? 'All sources' : sources.map((url) => nameOf(names, url)).join(', ')],
          ['TLP', <Explained key="tlp" choice={choiceOf<string>(TLP_CHOICES, tlp_choice)} />],
          ['Half-life', <Explained key="half-life" choice={choiceOf<string>(HALF_LIFE_CHOICES, half_life_choice)} />],
          [
            'Preferred source',
            <Explained
              key="preferred"
              choice={{ value: '', label: preferred ?? 'None', meaning: preferenceInWords(preferred) }}
            />,
          ],
        ]}
      />
    </Card>
  )
}

const Explained = ({ choice }: { readonly choice: Choice<string> | undefined }) => (
  <>
    {choice?.label ?? '–'}
    <Text size="xs" c="dimmed">
      {choice?.meaning}
    </Text>
  </>
)
