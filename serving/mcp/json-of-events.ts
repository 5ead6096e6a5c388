/** The answer within a stream of events, for who takes no stream: what comes before it, such as progress, is left out. */
const line = /^data: ?(.*)$/gm

/** @param isBatch to the messages of a batch there is an answer each */
export async function jsonOfEvents(response: Response, isBatch: boolean): Promise<string> {
  const data = [...(await response.text()).matchAll(line)].map(([, json = '']) => json)
  const answers = data.filter((json) => json.includes('"id"') && Object.hasOwn(JSON.parse(json), 'id'))
  return isBatch ? `[${answers.join()}]` : (answers.at(-1) ?? '')
}
