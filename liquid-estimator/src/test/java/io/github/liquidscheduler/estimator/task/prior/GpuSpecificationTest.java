package io.github.liquidscheduler.estimator.task.prior;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class GpuSpecificationTest {

  @ParameterizedTest
  @CsvSource({
    "NVIDIA A100-SXM4-80GB, A100-80GB, 80",
    "NVIDIA A100-PCIE-40GB, A100, 40",
    "NVIDIA A100 80GB PCIe, A100-80GB, 80",
    "Tesla V100-SXM2-32GB, V100-32GB, 32",
    "Tesla V100-SXM2-16GB-SHARED, V100, 16",
    "Tesla P100-PCIE-16GB, P100, 16",
    "NVIDIA H100 80GB HBM3, H100, 80",
    "NVIDIA H100 NVL, H100NVL, 94",
    "NVIDIA GH200 480GB, GH200, 96",
    "NVIDIA GeForce RTX 2080 Ti, RTX2080Ti, 11",
    "NVIDIA RTX A6000, RTXA6000, 48",
    "NVIDIA RTX 6000 Ada Generation, RTX6000Ada, 48",
    "Quadro RTX 6000, RTX6000, 24",
    "nvidia-tesla-t4, T4, 16",
    "nvidia-h100-mega-80gb, H100, 80",
    "NVIDIA A10G, A10, 24",
    "NVIDIA L4, L4, 24",
    "NVIDIA L40S, L40S, 48",
    "NVIDIA B200, B200, 180",
    "AMD Instinct MI300X OAM, MI300X, 192",
    "NVIDIA A100-SXM4-40GB MIG 1g.5gb, A100, 5"
  })
  void namesOfDriversAndCloudsAreUnderstood(String found, String name, double gibibytes) {
    GpuSpecification gpu = GpuSpecification.named(found).orElseThrow();

    assertThat(gpu.name()).isEqualTo(name);
    assertThat(gpu.memoryBytes()).isEqualTo(gibibytes * (1L << 30));
  }

  @Test
  void aNameThatOnlyContainsAnotherIsNotThatModel() {
    assertThat(GpuSpecification.named("A1000")).isEmpty();
    assertThat(GpuSpecification.named("80GB")).isEmpty();
    assertThat(GpuSpecification.named("")).isEmpty();
  }
}
