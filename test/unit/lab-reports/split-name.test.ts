import { expect, test } from "vitest";
import { splitName } from "../../../lib/domain/lab-reports/page/split-name.ts";

test.each([
  ["DOE, JANE A", "JANE", "DOE"],
  ["Jane Doe", "Jane", "Doe"],
  ["Jane A. Doe", "Jane", "Doe"],
  ["Mr. John Smith Jr.", "John", "Smith"],
  ["JOHN SMITH III", "JOHN", "SMITH"],
  ["John Smith, Jr.", "John", "Smith"],
  ["John Smith, M.D.", "John", "Smith"],
  ["SMITH JR, JOHN", "JOHN", "SMITH"],
  ["Smith, Jr., John Q", "John", "Smith"],
  ["Smith, John, Sr", "John", "Smith"],
  ["Smith, Dr. John", "John", "Smith"],
  ["Doe^Jane^A", "Jane", "Doe"],
  ["Doe^Jane^A^Jr^Dr", "Jane", "Doe"],
  ["DE LA CRUZ^MARIA", "MARIA", "DE LA CRUZ"],
  ["Maria de la Cruz", "Maria", "de la Cruz"],
  ["MARIA DE LA CRUZ", "MARIA", "DE LA CRUZ"],
  ["Ana Maria de Souza", "Ana", "de Souza"],
  ["Jan van der Berg", "Jan", "van der Berg"],
  ["JAN VAN DER BERG", "JAN", "VAN DER BERG"],
  ["Ludwig van Beethoven", "Ludwig", "van Beethoven"],
  ["Anh Van Nguyen", "Anh", "Nguyen"],
  ["Van Nguyen", "Van", "Nguyen"],
  ["de Souza, Ana", "Ana", "de Souza"],
  ["Jane (Janie) Doe", "Jane", "Doe"],
  ["Jane", "Jane", null],
  ["", null, null],
  ["^Jane", "Jane", null],
])("the name %s is of %s %s", (text, first, last) => {
  expect(splitName(text)).toEqual({ first, last });
});
