import { Button, Group, Select, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { LANGUAGES } from '../../../server/domain/languages.ts'
import { AnswerState } from '../../ai/answer-state.tsx'
import { useAnswer } from '../../ai/use-answer.ts'
import type { TabProps } from '../entity/entity.tsx'
import { TranslatedFields } from './translated-fields.tsx'
import { DEFAULT_LANGUAGE, type Translation } from './translation.ts'

/** Translates an entity by a language model, and shows the translation next to the original. */
export function TranslationTab({ entity }: TabProps) {
  const [language, setLanguage] = useState(DEFAULT_LANGUAGE)
  const answer = useAnswer<Translation>('translation')
  const { result } = answer
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
        <Button
          disabled={answer.isBusy}
          onClick={() => void answer.ask({ entity: entity.id, target_language: language })}
        >
          Translate
        </Button>
      </Group>
      <Text size="sm" c="dimmed">
        Values, names, code and markup are not sent and stay as they are. Nothing is saved until you use a translation.
      </Text>
      <AnswerState answer={answer} doing="Translating" />
      {result && <TranslatedFields key={result.generated_by.generated_at} entity={entity} translation={result} />}
    </Stack>
  )
}
