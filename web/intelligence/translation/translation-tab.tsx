import { Button, Group, Progress, Select, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { LANGUAGES } from '../../../server/domain/languages.ts'
import { useAi } from '../../ai/use-ai.ts'
import { ErrorFaults } from '../../ui/faults.tsx'
import type { TabProps } from '../entity/entity.tsx'
import { TranslatedFields } from './translated-fields.tsx'
import type { Translation } from './translation.ts'

const DEFAULT_LANGUAGE = 'English'

/** Translates an entity by a language model, and shows the translation next to the original. */
export function TranslationTab({ entity }: TabProps) {
  const [language, setLanguage] = useState(DEFAULT_LANGUAGE)
  const { ask, stop, isRunning, progress, result, error } = useAi<Translation>('translation')
  return (
    <Stack>
      <Group align="end">
        <Select
          label="Language"
          data={[...LANGUAGES]}
          value={language}
          onChange={(chosen) => setLanguage(chosen ?? DEFAULT_LANGUAGE)}
          searchable
          allowDeselect={false}
        />
        {isRunning ? (
          <Button variant="default" onClick={stop}>
            Stop
          </Button>
        ) : (
          <Button onClick={() => void ask({ entity: entity.id, target_language: language })}>Translate</Button>
        )}
      </Group>
      <Text size="sm" c="dimmed">
        Values, names, code and markup are not sent and stay as they are. Nothing is saved until you use a translation.
      </Text>
      {isRunning && (
        <Progress aria-label="Translating" animated value={progress ? (100 * progress.done) / progress.total : 100} />
      )}
      <ErrorFaults error={error} />
      {result && <TranslatedFields key={result.generated_by.generated_at} entity={entity} translation={result} />}
    </Stack>
  )
}
