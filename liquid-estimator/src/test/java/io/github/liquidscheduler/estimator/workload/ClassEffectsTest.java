package io.github.liquidscheduler.estimator.workload;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import io.github.liquidscheduler.resource.GpuModel;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ClassEffectsTest {
  private static final GpuModel V100 = GpuModel.of("V100");
  private static final WorkloadClass LIGHT = WorkloadClass.parse("light;8;");
  private static final WorkloadClass HEAVY = WorkloadClass.parse("heavy;8;");
  private static final WorkloadClass NEW = WorkloadClass.parse("new;8;");
  private static final ClassEffects EFFECTS =
      new ClassEffects(
          Map.of(V100, new ClassEffects.Level(0.6, 0.2)),
          List.of(new ClassEffects.Scale(10, 5)),
          List.of(
              new ClassEffects.Known(point(LIGHT, -2), -1, 1, 0.4, 0.8),
              new ClassEffects.Known(point(HEAVY, 2), 1, -1, 0.8, Double.NaN)));

  private static ClassPoint point(WorkloadClass workload, double feature) {
    return new ClassPoint(workload, V100, List.of(feature));
  }

  @Test
  void aStrangerIsTakenForWhatItResembles() {
    ClassEffects.Effect light = EFFECTS.of(NEW, V100, new double[] {0});
    ClassEffects.Effect heavy = EFFECTS.of(NEW, V100, new double[] {20});
    assertThat(light.asVictim()).isNegative();
    assertThat(light.asAggressor()).isPositive();
    assertThat(heavy.asVictim()).isPositive().isCloseTo(-light.asVictim(), within(1e-12));
    assertThat(light.victimMedian()).isNaN();
  }

  @Test
  void whoResemblesNobodyIsOrdinary() {
    ClassEffects.Effect between = EFFECTS.of(NEW, V100, new double[] {Double.NaN});
    assertThat(between.asVictim()).isCloseTo(0, within(1e-12));
    assertThat(between.asAggressor()).isCloseTo(0, within(1e-12));
  }

  @Test
  void onAGpuModelThatWasNeverMeasuredEffectsAreThoseOnOthers() {
    double[] features = {20};
    assertThat(EFFECTS.of(NEW, GpuModel.of("K80"), features))
        .isEqualTo(EFFECTS.of(NEW, V100, features));
    assertThat(EFFECTS.of(HEAVY, GpuModel.of("K80"), features).victimMedian()).isEqualTo(0.8);
  }

  @Test
  void whatWasMeasuredOfAClassIsRemembered() {
    ClassEffects.Effect heavy = EFFECTS.of(HEAVY, V100, new double[] {20});
    assertThat(heavy.victimMedian()).isEqualTo(0.8);
    assertThat(heavy.aggressorMedian()).isNaN();
  }

  @Test
  void theyTravelWithTheHistory() {
    ClassHistory history = new ClassHistory();
    history.setMean(V100, 0.6);
    history.setEffects(EFFECTS);
    ClassHistory read = ClassHistory.fromText(history.toText());
    assertThat(read.toText()).isEqualTo(history.toText());
    assertThat(read.effects().of(NEW, V100, new double[] {20}))
        .isEqualTo(EFFECTS.of(NEW, V100, new double[] {20}));
  }

  @Test
  void classesAreComparedByTheSameNumbers() {
    EFFECTS.requireFeatures(1);

    assertThatIllegalArgumentException()
        .isThrownBy(() -> EFFECTS.requireFeatures(6))
        .withMessage("class effects must tell 6 features, of each class and of their scales");
  }

  @Test
  void aMalformedLineIsRefused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> ClassHistory.fromText("effect|level|V100|much|0.2"))
        .withMessage("a line of class effects is malformed: effect|level|V100|much|0.2");
  }
}
