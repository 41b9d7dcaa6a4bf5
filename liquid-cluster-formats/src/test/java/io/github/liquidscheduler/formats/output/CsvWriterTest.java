package io.github.liquidscheduler.formats.output;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CsvWriterTest {
  @ParameterizedTest
  @ValueSource(
      strings = {"=cmd|' /C calc'!A0", "+1+1", "-2+3", "@SUM(A1)", "\t=1", "\r=1", "-", "=", "-1e"})
  void aFormulaBecomesAText(String cell) throws IOException {
    assertThat(written("a", cell)).startsWith("a,").contains("'" + cell).endsWith("\n");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"-1.5", "+3", "-.5", "1e-7", "-2E+9", "-Infinity", "job-7", "a=b", "", "'x"})
  void numbersAndOtherTextsStayAsTheyAre(String cell) throws IOException {
    assertThat(written("a", cell)).isEqualTo(cell.isEmpty() ? "a,\n" : "a,%s\n", cell);
  }

  @Test
  void valuesThatAreNoTextsAreWrittenAsTheyAre() throws IOException {
    assertThat(written(-1, -2.5, true)).isEqualTo("-1,-2.5,true\n");
  }

  private static String written(Object... cells) throws IOException {
    StringBuilder text = new StringBuilder();
    new CsvWriter(text).row(List.of(cells));
    return text.toString();
  }
}
