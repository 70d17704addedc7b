import type { ObservableDefinition } from '../definition.ts'
import { line } from '../free-text.ts'
import { stixObject } from '../stix-object.ts'

export const file = {
  type: 'file',
  ...line('the name or path of a file', 'C:\\Program Files\\Example\\a.exe', 32_767),
  looks: [
    { order: 210, test: /^(?:[a-z]:\\|\\\\[^\\]|~?\/[^/\s])/i },
    // Names of programs and documents whose endings are no top-level domains.
    {
      order: 340,
      test: /^[^\s/\\:]{1,200}\.(?:apk|bat|bin|cfg|chm|class|cmd|conf|cpl|csv|dat|dll|dmg|docm?|docx|dotm|elf|exe)$/i,
    },
    {
      order: 350,
      test: /^[^\s/\\:]{1,200}\.(?:gz|hta|htm|html|ini|iso|jar|jpe?g|js|jse|json|lnk|log|msi|ocx|odt|pdf|php|png)$/i,
    },
    {
      order: 360,
      test: /^[^\s/\\:]{1,200}\.(?:pptm?|pptx|ps1|rar|rtf|scr|sys|tar|tmp|txt|vbe|vbs|vhdx?|wsf|xlam|xlsb?|xlsm|xlsx|xml)$/i,
    },
  ],
  stix: stixObject('file', 'name'),
  misp: ['filename', 'Payload delivery'],
} as const satisfies ObservableDefinition
