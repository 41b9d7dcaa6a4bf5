package io.github.liquidscheduler.resource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class QuantityTest {

  @ParameterizedTest
  @CsvSource({
    "0, 0 B",
    "1023, 1023 B",
    "1048576, 1 MiB",
    "1572864, 1.5 MiB",
    "17179869184, 16 GiB",
    "1649267441664, 1536 GiB",
    "17716740096, 16.5 GiB",
    "9223372036854775807, 8589934592.0 GiB"
  })
  void memoryIsShownInItsLargestUnit(long bytes, String text) {
    assertThat(Memory.ofBytes(bytes)).hasToString(text);
  }

  @ParameterizedTest
  @CsvSource({
    "0, 0 Gbit/s",
    "125000000, 1 Gbit/s",
    "12500000000, 100 Gbit/s",
    "1, 0.000 Gbit/s",
    "200000000, 1.600 Gbit/s",
    "9223372036854775807, unlimited"
  })
  void bandwidthIsShownInGigabits(long bytesPerSecond, String text) {
    assertThat(new Bandwidth(bytesPerSecond)).hasToString(text);
  }

  @ParameterizedTest
  @CsvSource({"0, 0 cores", "1500, 1.5 cores", "96000, 96 cores", "1, 0.001 cores"})
  void cpuIsShownInCores(long millicores, String text) {
    assertThat(CpuCores.ofMillicores(millicores)).hasToString(text);
  }

  @ParameterizedTest
  @CsvSource({"1000, 100 %", "500, 50 %", "125, 12.5 %", "1, 0.1 %"})
  void aShareIsShownInPercent(int thousandths, String text) {
    assertThat(GpuShare.ofThousandths(thousandths)).hasToString(text);
  }

  @Test
  void unitsAgreeWithEachOther() {
    assertThat(Memory.ofGib(1)).isEqualTo(Memory.ofMib(1024)).isEqualTo(Memory.ofBytes(1 << 30));
    assertThat(Bandwidth.ofGigabytesPerSecond(1)).isEqualTo(Bandwidth.ofGigabitsPerSecond(8));
    assertThat(CpuCores.of(2)).isEqualTo(CpuCores.ofMillicores(2000));
    assertThat(GpuShare.ofPercent(100)).isEqualTo(GpuShare.WHOLE);
  }

  @Test
  void quantitiesAreOrderedByAmount() {
    assertThat(Memory.ofMib(1)).isLessThan(Memory.ofGib(1));
    assertThat(Bandwidth.ZERO).isLessThan(Bandwidth.UNLIMITED);
    assertThat(CpuCores.ZERO).isLessThan(CpuCores.of(1));
    assertThat(GpuShare.ofPercent(1)).isLessThan(GpuShare.WHOLE);
  }

  @Test
  void whatWasAddedCanBeTakenAway() {
    Memory memory = Memory.ofGib(16);

    assertThat(memory.plus(Memory.ofMib(1)).minus(Memory.ofMib(1))).isEqualTo(memory);
    assertThat(CpuCores.of(1).plus(CpuCores.ofMillicores(500))).hasToString("1.5 cores");
  }

  @Test
  void noQuantityIsNegative() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Memory.ofBytes(-1))
        .withMessage("memory must not be negative, but was -1 bytes");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Memory.ofMib(1).minus(Memory.ofMib(2)))
        .withMessage("memory must not be negative, but was -1048576 bytes");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new Bandwidth(-1))
        .withMessage("bandwidth must not be negative, but was -1 bytes per second");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> CpuCores.of(-1))
        .withMessage("CPU must not be negative, but was -1000 millicores");
  }

  @ParameterizedTest
  @CsvSource({"0, 0", "1700, 1.7", "-5, -0.005"})
  void aShareIsFromOneThousandthToTheWhole(int thousandths, String fraction) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> GpuShare.ofThousandths(thousandths))
        .withMessage("a GPU share must be from 0.001 to 1, but was " + fraction);
  }

  @Test
  void anAmountBeyondALongIsRefused() {
    String rule = " must be below 2^63 when counted in its smallest unit, but was ";

    refuses(() -> Memory.ofTib(1L << 30), "memory" + rule + "1073741824 TiB");
    refuses(() -> Memory.ofGib(1L << 40), "memory" + rule + "1099511627776 GiB");
    refuses(() -> Memory.ofGib(Long.MAX_VALUE), "memory" + rule + "9223372036854775807 GiB");
    refuses(() -> CpuCores.of(Long.MAX_VALUE), "CPU" + rule + "9223372036854775807 cores");
    refuses(
        () -> Bandwidth.ofGigabitsPerSecond(1L << 40), "bandwidth" + rule + "1099511627776 Gbit/s");
    assertThatThrownBy(() -> new Memory(Long.MAX_VALUE).plus(Memory.ofBytes(1)))
        .isInstanceOf(ArithmeticException.class);
  }

  @ParameterizedTest
  @CsvSource({
    "16GiB, 17179869184",
    "16 GiB, 17179869184",
    "1.5TiB, 1649267441664",
    "0.5 kB, 500",
    "2TB, 2000000000000",
    "9223372036854775807 B, 9223372036854775807"
  })
  void memoryIsReadAsPeopleWriteIt(String text, long bytes) {
    assertThat(Memory.parse(text)).isEqualTo(Memory.ofBytes(bytes));
  }

  @ParameterizedTest
  @CsvSource({"100Gbit/s, 12500000000", "12.5 GB/s, 12500000000", "8 bit/s, 1"})
  void bandwidthIsReadAsPeopleWriteIt(String text, long bytesPerSecond) {
    assertThat(Bandwidth.parse(text)).isEqualTo(new Bandwidth(bytesPerSecond));
  }

  @Test
  void whatNobodyWritesIsRefused() {
    String memory = "memory must be a number with a unit, such as 16GiB, but was ";
    for (String text : List.of("16", "GiB", "16gib", "-1GiB", "1e3GiB", "16 Gbit/s", "")) {
      refuses(() -> Memory.parse(text), memory + '"' + text + '"');
    }
    refuses(
        () -> Memory.parse("0.5B"),
        "memory must be whole and below 2^63 when counted in bytes, but was \"0.5B\"");
    refuses(
        () -> Memory.parse("8388608TiB"),
        "memory must be whole and below 2^63 when counted in bytes, but was \"8388608TiB\"");
    refuses(
        () -> Bandwidth.parse("7bit/s"),
        "bandwidth must be whole and below 2^63 when counted in bytes, but was \"7bit/s\"");
  }

  @Test
  void fractionsOfCoresAndGpusAreExact() {
    assertThat(CpuCores.of(1.5)).isEqualTo(CpuCores.ofMillicores(1500));
    assertThat(CpuCores.of(0.1)).isEqualTo(CpuCores.ofMillicores(100));
    assertThat(GpuShare.of(.25)).isEqualTo(GpuShare.ofPercent(25));
    assertThat(GpuShare.of(1)).isEqualTo(GpuShare.WHOLE);
    refuses(
        () -> CpuCores.of(1.0 / 3),
        "CPU must be a whole number of thousandths, but was 0.3333333333333333");
    refuses(
        () -> CpuCores.of(Double.NaN), "CPU must be a whole number of thousandths, but was NaN");
    refuses(() -> GpuShare.of(1.25), "a GPU share must be from 0.001 to 1, but was 1.25");
    refuses(() -> GpuShare.of(0), "a GPU share must be from 0.001 to 1, but was 0");
  }

  private static void refuses(ThrowingCallable code, String message) {
    assertThatIllegalArgumentException().isThrownBy(code).withMessage(message);
  }

  @Test
  void aGpuModelHasAName() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> GpuModel.of(" "))
        .withMessage("a GPU model's name must not be blank");
    assertThat(GpuModel.of("V100")).hasToString("V100");
  }
}
