package io.github.liquidscheduler.lab;

import io.github.liquidscheduler.cli.OptionUnits;
import org.junit.jupiter.api.Test;

class LabHelpTest {

  @Test
  void everyNumberNamesItsUnitAndDefault() {
    OptionUnits.requireIn(LabCommand.program("simulate").commandLine());
    OptionUnits.requireIn(LabCommand.program("simulate", "--reference", "tiresias").commandLine());
  }
}
