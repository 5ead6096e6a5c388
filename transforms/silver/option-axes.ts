/** Where the file of products names the axes by which the options of another file of its shop are told apart: name of the option there → column here. */
export const axisNames: Readonly<Record<string, string>> = {
  横軸: '項目選択肢別在庫用横軸項目名',
  縦軸: '項目選択肢別在庫用縦軸項目名',
}
